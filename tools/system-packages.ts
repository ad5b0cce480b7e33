/**
 * What the tests need besides Node: a browser for the end-to-end tests, and as peers of the product
 * OpenSSH, dropbear, curl, a PostgreSQL with a standby, brokers of MQTT and of NATS, a store of metrics, Prometheus' tool, an authority of
 * certificates with its DNS server, what makes and runs containers, and the proxies that stand before it; for the runtimes of other
 * processors their emulator and libraries, for a client of tunnels Go and its yamux.
 */

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './processes.mjs';
import { PlainError, printRow, runStep } from './terminal.mjs';

const needs = [
  { package: 'chromium-headless-shell', isThere: () => findBrowser() !== undefined },
  { package: 'openssh-server', isThere: () => findProgram('sshd') !== undefined },
  {
    package: 'openssh-client',
    isThere: () => findProgram('ssh') !== undefined && findProgram('ssh-keygen') !== undefined,
  },
  {
    package: 'dropbear-bin',
    isThere: () => findProgram('dbclient') !== undefined && findProgram('dropbearkey') !== undefined,
  },
  { package: 'systemd-container', isThere: () => findProgram('systemd-nspawn') !== undefined },
  {
    package: 'cron',
    isThere: () => findProgram('cron') !== undefined && findProgram('crontab') !== undefined,
  },
  {
    package: 'faketime',
    isThere: () => existsSync('/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'),
  },
  { package: 'xz-utils', isThere: () => findProgram('xz') !== undefined },
  { package: 'busybox', isThere: () => findProgram('busybox') !== undefined },
  { package: 'curl', isThere: () => findProgram('curl') !== undefined },
  { package: 'rsync', isThere: () => findProgram('rsync') !== undefined },
  {
    package: 'postgresql',
    isThere: () => existsSync('/usr/lib/postgresql') && findProgram('psql') !== undefined,
  },
  { package: 'mosquitto', isThere: () => findProgram('mosquitto') !== undefined },
  { package: 'mosquitto-clients', isThere: () => findProgram('mosquitto_pub') !== undefined },
  { package: 'nginx-light', isThere: () => findProgram('nginx') !== undefined },
  { package: 'haproxy', isThere: () => findProgram('haproxy') !== undefined },
  { package: 'nats-server', isThere: () => findProgram('nats-server') !== undefined },
  { package: 'openssl', isThere: () => findProgram('openssl') !== undefined },
  { package: 'prometheus', isThere: () => findProgram('promtool') !== undefined },
  { package: 'pebble', isThere: () => findProgram('pebble') !== undefined },
  { package: 'knot', isThere: () => findProgram('knotd') !== undefined },
  { package: 'knot-dnsutils', isThere: () => findProgram('knsupdate') !== undefined },
  { package: 'podman', isThere: () => findProgram('podman') !== undefined },
  { package: 'crun', isThere: () => findProgram('crun') !== undefined },
  { package: 'mmdebstrap', isThere: () => findProgram('mmdebstrap') !== undefined },
  {
    package: 'qemu-user-static',
    isThere: () =>
      findProgram('qemu-aarch64-static') !== undefined && findProgram('qemu-arm-static') !== undefined,
  },
  // What Node.js for other processors is linked with; each brings the rest that it needs.
  {
    package: 'libstdc++6-arm64-cross',
    isThere: () => existsSync('/usr/aarch64-linux-gnu/lib/libstdc++.so.6'),
  },
  {
    package: 'libstdc++6-armhf-cross',
    isThere: () => existsSync('/usr/arm-linux-gnueabihf/lib/libstdc++.so.6'),
  },
  {
    package: 'libatomic1-armhf-cross',
    isThere: () => existsSync('/usr/arm-linux-gnueabihf/lib/libatomic.so.1'),
  },
  { package: 'victoria-metrics', isThere: () => findProgram('victoria-metrics') !== undefined },
];

/** What the release suite needs besides. */
const releaseNeeds = [
  { package: 'golang-go', isThere: () => findProgram('go') !== undefined },
  {
    package: 'golang-github-hashicorp-yamux-dev',
    isThere: () => existsSync('/usr/share/gocode/src/github.com/hashicorp/yamux'),
  },
];

function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function findBrowser(): string | undefined {
  return process.env.CHROMIUM || findProgram('chromium-headless-shell');
}

function listMissing(suite: Suite): string[] {
  const all = suite === 'release' ? [...needs, ...releaseNeeds] : needs;
  return all.filter((need) => !need.isThere()).map((need) => need.package);
}

type Suite = 'main' | 'release';

/** Installs by apt-get what is missing where that is allowed, otherwise says what to install. */
export async function ensureSystemPackages(suite: Suite = 'main'): Promise<void> {
  const missing = listMissing(suite);
  if (missing.length === 0) {
    printRow('passed', 'system packages', 'present');
    return;
  }
  const command = `apt-get install --yes --no-install-recommends ${missing.join(' ')}`;
  await runStep('system packages', async () => {
    const [program, ...prefix] = await findRights();
    if (!program)
      throw new PlainError(`The tests need ${missing.join(', ')}. Install with:\n\n  sudo ${command}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const results = [];
    for (const args of [['update'], command.split(' ').slice(1)]) {
      results.push(await runCommand(program, [...prefix, ...args], { env }));
    }
    const left = listMissing(suite);
    if (left.length > 0) {
      const output = results.map((result) => result.output).join('\n');
      throw new PlainError(
        `apt-get could not install ${left.join(', ')}.\n\n${output.trim().split('\n').slice(-15).join('\n')}`,
      );
    }
    return `installed ${missing.join(', ')}`;
  });
}

/** How apt-get may be run here; empty where it may not. */
async function findRights(): Promise<string[]> {
  if (!findProgram('apt-get')) return [];
  if (process.getuid?.() === 0) return ['apt-get'];
  if (!findProgram('sudo')) return [];
  const { code } = await runCommand('sudo', ['-n', 'true']);
  return code === 0 ? ['sudo', '-n', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'] : [];
}
