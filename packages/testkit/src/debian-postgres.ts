import { readdirSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { poll } from './poll.ts';
import { runCommand } from './run-command.ts';
import { RunningProcess } from './running-process.ts';
import { makeTempDir } from './temp-dir.ts';

const folder = '/usr/lib/postgresql';

/** The newest one that is installed. */
export function program(name: string): string {
  const [newest] = readdirSync(folder).sort((a, b) => Number(b) - Number(a));
  return join(folder, newest ?? '', 'bin', name);
}

/** PostgreSQL does not run as root. */
const asUser = (args: readonly string[]): [string, ...string[]] =>
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...args]
    : ['env', ...args];

export async function run(...args: string[]): Promise<void> {
  const [command, ...rest] = asUser(args);
  const { code, stderr } = await runCommand(command, rest);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${stderr}`);
}

export function start(name: string, dataDir: string, port: number): RunningProcess {
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

export async function waitUntil(port: number, query: string, expected: string): Promise<void> {
  await poll(
    async () => {
      const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'pult', '-d', 'postgres', '-Atc', query];
      const { code, stdout } = await runCommand('psql', args);
      return code === 0 && stdout.trim() === expected;
    },
    { what: `the database on port ${port} answers ${query} with ${expected}`, timeoutMs: 60_000 },
  );
}

/** An empty cluster of the user `pult`, who may do everything. */
export async function initCluster(dataDir: string): Promise<void> {
  await run(
    program('initdb'),
    ...['-D', dataDir, '-U', 'pult', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'],
  );
}

/** A folder in which PostgreSQL may make its own. */
export async function makePostgresHome(name: string) {
  const home = await makeTempDir(name);
  if (process.getuid?.() === 0) {
    const { stdout } = await runCommand('id', ['-u', 'postgres']);
    await chown(home.path, Number(stdout), -1);
  }
  return home;
}

/** The database `pult`. */
export const createDatabase = (port: number): Promise<void> =>
  run(program('createdb'), '-h', '127.0.0.1', '-p', String(port), '-U', 'pult', 'pult');

/** Debian's PostgreSQL as somebody's own database: its user `pult` needs no password, its database `pult` is empty. */
export async function startDebianPostgres(): Promise<AsyncDisposable & { port: number }> {
  const home = await makePostgresHome('debian-postgres');
  const dataDir = join(home.path, 'data');
  const port = await freePort();
  await initCluster(dataDir);
  const server = start('Debian’s PostgreSQL', dataDir, port);
  await waitUntil(port, 'select 1', '1');
  await createDatabase(port);
  return {
    port,
    async [Symbol.asyncDispose]() {
      await server.kill();
      await home.remove();
    },
  };
}
