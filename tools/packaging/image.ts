/** The server as a container image: the archive on a few packages of Debian, by deploy/Containerfile. */

import { linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runCommand } from '../processes.mjs';
import { PlainError } from '../terminal.mjs';
import { processors } from './locked-packages.ts';

/** What Node.js, PostgreSQL and the scripts of deploy/ ask for. */
const needs = ['base-files', 'coreutils', 'dash', 'libc-bin', 'libc6', 'libgcc-s1', 'libstdc++6'];
const release = 'bookworm';

export interface DebianPackageVersion {
  name: string;
  version: string;
}

interface Wanted {
  version: string;
  /** Where the archive is, and the image goes. */
  out: string;
}

export const imageName = (version: string) => `pult-server-${version}-linux-${process.arch}.image.tar.gz`;

/** Writes the image as `docker load` and `podman load` take it; resolves to what of Debian is in it. */
export async function makeImage({ version, out }: Wanted): Promise<DebianPackageVersion[]> {
  if (!(process.arch in processors)) throw new PlainError(`Pult is not made for ${process.arch}.`);
  const folder = mkdtempSync(join(out, 'staging-'));
  const archive = `pult-${version}-linux-${process.arch}`;
  // Of our own, so that nothing is left in the store of the machine; podman takes no path of more than 50 characters.
  const storeFolder = mkdtempSync(join(tmpdir(), 'pult-'));
  const store = ['root', 'runroot', 'tmpdir'].map((name) => `--${name}=${join(storeFolder, name)}`);
  const podman = (...args: string[]) => must('podman', ...store, ...args);
  try {
    const base = join(folder, 'base.tar');
    const packages = await makeBase(base);
    await podman('import', '--quiet', base, 'localhost/pult-base');
    const context = join(folder, 'context');
    mkdirSync(context);
    linkSync(join(out, `${archive}.tar.gz`), join(context, `${archive}.tar.gz`));
    const tag = `localhost/pult-server:${version}`;
    await podman(
      ...['build', '--isolation=chroot', '--layers=false', '--pull=never', '--tag', tag],
      // That of OCI has no health check.
      ...['--format=docker', '--file', join(root, 'deploy/Containerfile')],
      ...['--build-arg', 'BASE=localhost/pult-base', '--build-arg', `ARCHIVE=${archive}`, context],
    );
    const image = join(folder, 'image.tar');
    await podman('save', '--quiet', '--format=docker-archive', '--output', image, tag);
    await must('sh', '-c', 'gzip -n <"$1" >"$2"', 'sh', image, join(out, imageName(version)));
    return packages;
  } finally {
    // Layers are mounted while they are made, and stay so where a build was cut.
    await runCommand('podman', [...store, 'unmount', '--all']).catch(() => undefined);
    for (const each of [folder, storeFolder]) rmSync(each, { recursive: true, force: true });
  }
}

/** Unpacked and not set up, so that it needs neither root's rights in a chroot nor another processor's programs. */
async function makeBase(file: string): Promise<DebianPackageVersion[]> {
  const output = await must(
    ...(['mmdebstrap', '--variant=extract', `--include=${needs.join(',')}`, '--format=tar'] as const),
    '--extract-hook=ls "$1"/var/cache/apt/archives',
    ...[release, file],
  );
  const found = [...output.matchAll(/^([^_\s]+)_(\S+)_(?:amd64|arm64|all)\.deb$/gm)];
  if (found.length < needs.length) throw new PlainError(`mmdebstrap does not say what it took.\n\n${output}`);
  return found.map(([, name = '', version = '']) => ({ name, version: decodeURIComponent(version) }));
}

async function must(command: string, ...args: string[]): Promise<string> {
  const { code, output } = await runCommand(command, args).catch(() => {
    throw new PlainError(
      `${command} is missing: install podman and mmdebstrap (apt-get install podman mmdebstrap).`,
    );
  });
  if (code !== 0) throw new PlainError(`${command} failed.\n\n${output.trim().slice(-3000)}`);
  return output;
}
