import { existsSync } from 'node:fs';
import { freePort } from './free-port.ts';
import { RunningProcess } from './running-process.ts';

export interface NatsServer extends AsyncDisposable {
  readonly port: number;
  /** As NATS_URL takes it. */
  readonly url: string;
  readonly process: RunningProcess;
  /** What it says of itself, such as `in_msgs`: https://docs.nats.io, Monitoring, /varz. */
  readStats(): Promise<Record<string, unknown>>;
  halt(): Promise<void>;
  /** At the same port, knowing nothing of before. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Debian keeps it out of the PATH of ordinary users. */
function findNatsServer(): string {
  const path = ['/usr/sbin/nats-server', '/usr/local/bin/nats-server', '/usr/bin/nats-server'].find(
    existsSync,
  );
  if (!path) throw new Error('nats-server is missing: install it (apt-get install nats-server)');
  return path;
}

/** A real nats-server on the loopback address. */
export async function startNatsServer(): Promise<NatsServer> {
  const [port, statsPort] = [await freePort(), await freePort()];
  const launch = async () => {
    const args = ['--addr', '127.0.0.1', '--port', String(port), '--http_port', String(statsPort)];
    const running = new RunningProcess({ name: 'nats-server', command: findNatsServer(), args });
    await running.waitForLine(/Server is ready/);
    return running;
  };
  let running = await launch();
  const stop = async () => {
    await running.stop();
  };
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    get process() {
      return running;
    },
    async readStats() {
      const answer = await fetch(`http://127.0.0.1:${statsPort}/varz`);
      return (await answer.json()) as Record<string, unknown>; // of NATS
    },
    halt: stop,
    async start() {
      running = await launch();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
