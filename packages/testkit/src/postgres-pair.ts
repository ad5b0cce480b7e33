import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { poll } from './poll.ts';
import { runCommand } from './run-command.ts';
import { RunningProcess } from './running-process.ts';
import { makeTempDir } from './temp-dir.ts';

/** A primary of Debian's PostgreSQL and a standby that follows it, behind one address that leads to one of them. */
export interface PostgresPair extends AsyncDisposable {
  /** Of the address. */
  readonly url: string;
  /** Ends the primary without a word. */
  killPrimary(): Promise<void>;
  /** Resolves when the standby takes writes. */
  promoteStandby(): Promise<void>;
  /** Where new connections go; those that there are stay unless they are cut. */
  leadTo(which: 'primary' | 'standby', options?: { cut: boolean }): void;
}

const folder = '/usr/lib/postgresql';

/** The newest one that is installed. */
function program(name: string): string {
  const [newest] = readdirSync(folder).sort((a, b) => Number(b) - Number(a));
  return join(folder, newest ?? '', 'bin', name);
}

/** PostgreSQL does not run as root. */
const asUser = (args: readonly string[]): [string, ...string[]] =>
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...args]
    : ['env', ...args];

async function run(...args: string[]): Promise<void> {
  const [command, ...rest] = asUser(args);
  const { code, stderr } = await runCommand(command, rest);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${stderr}`);
}

function start(name: string, dataDir: string, port: number): RunningProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${dataDir}`,
    'fsync=off',
  ];
  const [command, ...args] = asUser([
    program('postgres'),
    '-D',
    dataDir,
    ...settings.flatMap((setting) => ['-c', setting]),
  ]);
  return new RunningProcess({ name, command, args });
}

async function waitUntil(port: number, query: string, expected: string): Promise<void> {
  await poll(
    async () => {
      const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'pult', '-d', 'postgres', '-Atc', query];
      const { code, stdout } = await runCommand('psql', args);
      return code === 0 && stdout.trim() === expected;
    },
    { what: `the database on port ${port} answers ${query} with ${expected}`, timeoutMs: 60_000 },
  );
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const home = await makeTempDir('postgres-pair');
  if (process.getuid?.() === 0) {
    const { stdout } = await runCommand('id', ['-u', 'postgres']);
    await chown(home.path, Number(stdout), -1);
  }
  const [first, second] = [join(home.path, 'first'), join(home.path, 'second')];
  const ports = { primary: await freePort(), standby: await freePort() };
  await run(
    program('initdb'),
    '-D',
    first,
    '-U',
    'pult',
    '--auth=trust',
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  );
  const primary = start('primary', first, ports.primary);
  await waitUntil(ports.primary, 'select 1', '1');
  await run(program('createdb'), '-h', '127.0.0.1', '-p', String(ports.primary), '-U', 'pult', 'pult');
  await run(
    program('pg_basebackup'),
    ...['-D', second, '-h', '127.0.0.1', '-p', String(ports.primary), '-U', 'pult'],
    ...['-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
  );
  const standby = start('standby', second, ports.standby);
  await waitUntil(ports.standby, 'select pg_is_in_recovery()', 't');

  let target = ports.primary;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((inbound) => {
    const outbound = connect({ host: '127.0.0.1', port: target });
    const pair = [inbound, outbound] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
    }
    inbound.pipe(outbound).pipe(inbound);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;

  return {
    url: `postgres://pult@127.0.0.1:${port}/pult`,
    async killPrimary() {
      await primary.kill();
    },
    async promoteStandby() {
      await run(program('pg_ctl'), 'promote', '-D', second);
      await waitUntil(ports.standby, 'select pg_is_in_recovery()', 'f');
    },
    leadTo(which, { cut } = { cut: true }) {
      target = ports[which];
      if (cut) for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await Promise.all([primary.kill(), standby.kill()]);
      await home.remove();
    },
  };
}
