/** The Debian packages: what is laid out for the archive, with unit, account, settings and the scripts of deploy/debian. */

import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, runCommand } from '../processes.mjs';
import { PlainError } from '../terminal.mjs';
import { findTime } from './archive.ts';
import { addNode } from './files.ts';
import { type Processor, processors } from './locked-packages.ts';
import { createLicenseTexts } from './third-party.ts';

interface Wanted {
  processor: Processor;
  version: string;
  /** What `layOut` has made; it is moved. */
  files: string;
}

interface DebianPackage {
  name: string;
  description: string;
  /** Where dpkg keeps what the operator has changed. */
  settings: string[];
  /** Puts its files into a folder that stands for the root of the system. */
  fill: (folder: string, wanted: Wanted) => Promise<void> | void;
}

/** What the binaries ask for, besides what every Debian has. */
const needs = 'libc6 (>= 2.28), libstdc++6, libgcc-s1, systemd, passwd';

const debianPackages: readonly DebianPackage[] = [
  {
    name: 'pult-server',
    description:
      'server and web console for remote Linux controllers\n It brings its PostgreSQL and its Node.js along.',
    settings: ['/etc/pult/pult.env'],
    fill(folder, { files }) {
      mkdirSync(join(folder, 'usr/lib'), { recursive: true });
      renameSync(files, join(folder, 'usr/lib/pult'));
      add(folder, 'etc/pult/pult.env', read('debian/pult-server/pult.env'));
      add(folder, 'usr/share/doc/pult-server/settings.env', readFileSync(join(root, '.env.example'), 'utf8'));
      add(folder, 'usr/lib/sysusers.d/pult.conf', 'u pult - "Pult server" /var/lib/pult\n');
      add(folder, 'lib/systemd/system/pult.service', read('pult.service'));
      add(folder, 'usr/bin/pult', read('debian/pult-server/pult'), 0o755);
    },
  },
  {
    name: 'pult-agent',
    description: 'links this machine to a Pult server\n It brings its Node.js along.',
    settings: [],
    async fill(folder, { processor }) {
      const home = join(folder, 'usr/lib/pult-agent');
      await addNode(home, processor);
      cpSync(join(root, 'apps/agent/dist/pult-agent.mjs'), join(home, 'pult-agent.mjs'));
      add(folder, 'usr/lib/pult-agent/launcher', read('pult-agent-launcher'), 0o755);
      const unit = read('pult-agent.service').replace(
        'launcher /usr/bin/node ',
        'launcher /usr/lib/pult-agent/node ',
      );
      add(folder, 'lib/systemd/system/pult-agent.service', unit);
      add(folder, 'usr/lib/sysusers.d/pult-agent.conf', 'u pult-agent - "Pult agent" /var/lib/pult-agent\n');
      add(folder, 'usr/share/doc/pult-agent/third-party.txt', createLicenseTexts(processor));
      add(folder, 'usr/bin/pult-agent', read('debian/pult-agent/pult-agent'), 0o755);
    },
  },
];

/** Writes `<name>_<version>_<architecture>.deb` of each into `out`, made in `parent`. */
export async function makeDebianPackages(parent: string, out: string, wanted: Wanted): Promise<string> {
  const names = [];
  for (const debianPackage of debianPackages) {
    const folder = join(parent, debianPackage.name);
    await debianPackage.fill(folder, wanted);
    addControl(folder, debianPackage, wanted);
    const file = `${debianPackage.name}_${wanted.version}_${processors[wanted.processor]}.deb`;
    // By gzip, which every dpkg reads, and in a tenth of xz's time.
    const args = ['--root-owner-group', '-Zgzip', '-z6', '--build', folder, join(out, file)];
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(await findTime()) };
    const { code, output } = await runCommand('dpkg-deb', args, { env }).catch(() => {
      throw new PlainError('dpkg-deb is missing: install dpkg (apt-get install dpkg).');
    });
    if (code !== 0) throw new PlainError(`dpkg-deb could not make ${file}.\n\n${output.trim()}`);
    names.push(file);
  }
  return names.join(', ');
}

function addControl(folder: string, { name, description, settings }: DebianPackage, wanted: Wanted): void {
  const control = [
    `Package: ${name}`,
    `Version: ${wanted.version}`,
    `Architecture: ${processors[wanted.processor]}`,
    'Maintainer: Pult <pult@localhost>',
    `Depends: ${needs}`,
    'Section: net',
    'Priority: optional',
    `Description: ${description}`,
  ];
  add(folder, 'DEBIAN/control', `${control.join('\n')}\n`);
  if (settings.length > 0) add(folder, 'DEBIAN/conffiles', `${settings.join('\n')}\n`);
  for (const script of ['postinst', 'prerm', 'postrm']) {
    add(folder, `DEBIAN/${script}`, read(`debian/${name}/${script}`), 0o755);
  }
  add(folder, `usr/share/doc/${name}/copyright`, readFileSync(join(root, 'LICENSE'), 'utf8'));
}

const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8');

function add(folder: string, path: string, text: string, mode = 0o644): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}
