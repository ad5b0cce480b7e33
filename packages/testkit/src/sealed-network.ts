import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { poll } from './poll.ts';
import { runCommand } from './run-command.ts';
import { RunningProcess } from './running-process.ts';
import { makeTempDir } from './temp-dir.ts';

/** A network in which there is nothing but its own loopback. */
export interface SealedNetwork extends AsyncDisposable {
  /** What runs a command inside, to be put before it. */
  readonly prefix: readonly string[];
  /** What names it to those who bring a process of their own into it. */
  readonly path: string;
  /** Joins a port of our 127.0.0.1 to the same port inside. */
  publish(port: number): Promise<void>;
  /** Joins a port inside, of 127.0.0.1 unless told, to the same port of our 127.0.0.1. */
  bring(port: number, host?: string): Promise<void>;
}

/** Why there can be none on this machine; undefined where there can. */
export function findSealedNetworkObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may make one';
  const missing = ['unshare', 'nsenter', 'busybox'].find((name) => !existsSync(join('/usr/bin', name)));
  return missing && `${missing} is missing`;
}

/** Joins connections of one end to the other: a path, or a host and a port with a space between them. */
const relay = `
  const { connect, createServer } = require('node:net');
  const [from, to] = process.argv.slice(1).map((end) => {
    const [host, port] = end.split(' ');
    return port ? { host, port: Number(port) } : { path: end };
  });
  const server = createServer((one) => {
    const other = connect(to);
    for (const [end, peer] of [[one, other], [other, one]]) end.on('error', () => peer.destroy()).pipe(peer);
  });
  server.listen(from, () => console.log('relay ready'));
`;

export async function startSealedNetwork(): Promise<SealedNetwork> {
  const folder = await makeTempDir('network');
  const holder = new RunningProcess({
    name: 'sealed network',
    command: '/usr/bin/unshare',
    args: ['--net', 'sh', '-c', 'busybox ip link set lo up && echo up && exec sleep infinity'],
  });
  const processes = [holder];
  const stop = async () => {
    for (const running of processes.reverse()) await running.kill();
    await folder.remove();
  };
  const prefix = ['/usr/bin/nsenter', '-t', String(holder.pid), '-n', '--'];
  const startRelay = async (inFront: readonly string[], from: string, to: string) => {
    const [command = '', ...args] = [...inFront, process.execPath, '-e', relay, from, to];
    const running = new RunningProcess({ name: `relay ${from}`, command, args });
    processes.push(running);
    await running.waitForLine(/relay ready/);
  };
  try {
    await holder.waitForLine(/^up$/);
    const probe = async () => (await runCommand('nsenter', [...prefix.slice(1, 4), 'true'])).code === 0;
    await poll(probe, { what: 'the network can be entered' });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    prefix,
    path: `/proc/${holder.pid}/ns/net`,
    async publish(port) {
      const socket = join(folder.path, `published-${port}`);
      await startRelay(prefix, socket, `127.0.0.1 ${port}`);
      await startRelay([], `127.0.0.1 ${port}`, socket);
    },
    async bring(port, host = '127.0.0.1') {
      const socket = join(folder.path, `brought-${port}`);
      await startRelay([], socket, `127.0.0.1 ${port}`);
      await startRelay(prefix, `${host} ${port}`, socket);
    },
    [Symbol.asyncDispose]: stop,
  };
}
