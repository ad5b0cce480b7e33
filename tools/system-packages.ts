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

const hasPrograms = (...names: string[]) => names.every((name) => findProgram(name) !== undefined);

/** By the Debian package: whether it is there. */
const needs: Readonly<Record<string, () => boolean>> = {
  'chromium-headless-shell': () => findBrowser() !== undefined,
  'openssh-server': () => hasPrograms('sshd'),
  'openssh-client': () => hasPrograms('ssh', 'ssh-keygen'),
  'dropbear-bin': () => hasPrograms('dbclient', 'dropbearkey'),
  'systemd-container': () => hasPrograms('systemd-nspawn'),
  cron: () => hasPrograms('cron', 'crontab'),
  faketime: () => existsSync('/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'),
  'xz-utils': () => hasPrograms('xz'),
  busybox: () => hasPrograms('busybox'),
  curl: () => hasPrograms('curl'),
  rsync: () => hasPrograms('rsync'),
  postgresql: () => existsSync('/usr/lib/postgresql') && hasPrograms('psql'),
  mosquitto: () => hasPrograms('mosquitto'),
  'mosquitto-clients': () => hasPrograms('mosquitto_pub'),
  'nginx-light': () => hasPrograms('nginx'),
  haproxy: () => hasPrograms('haproxy'),
  'nats-server': () => hasPrograms('nats-server'),
  openssl: () => hasPrograms('openssl'),
  prometheus: () => hasPrograms('promtool'),
  pebble: () => hasPrograms('pebble'),
  knot: () => hasPrograms('knotd'),
  'knot-dnsutils': () => hasPrograms('knsupdate'),
  podman: () => hasPrograms('podman'),
  crun: () => hasPrograms('crun'),
  mmdebstrap: () => hasPrograms('mmdebstrap'),
  'qemu-user-static': () => hasPrograms('qemu-aarch64-static', 'qemu-arm-static'),
  // What Node.js for other processors is linked with; each brings the rest that it needs.
  'libstdc++6-arm64-cross': () => existsSync('/usr/aarch64-linux-gnu/lib/libstdc++.so.6'),
  'libstdc++6-armhf-cross': () => existsSync('/usr/arm-linux-gnueabihf/lib/libstdc++.so.6'),
  'libatomic1-armhf-cross': () => existsSync('/usr/arm-linux-gnueabihf/lib/libatomic.so.1'),
  'victoria-metrics': () => hasPrograms('victoria-metrics'),
};

/** What the release suite needs besides. */
const releaseNeeds: typeof needs = {
  'golang-go': () => hasPrograms('go'),
  'golang-github-hashicorp-yamux-dev': () => existsSync('/usr/share/gocode/src/github.com/hashicorp/yamux'),
};

/** Debian keeps servers out of the PATH of ordinary users. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function findBrowser(): string | undefined {
  return process.env.CHROMIUM || findProgram('chromium-headless-shell');
}

function listMissing(suite: Suite): string[] {
  const all = suite === 'release' ? { ...needs, ...releaseNeeds } : needs;
  return Object.entries(all).flatMap(([name, isThere]) => (isThere() ? [] : [name]));
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
