import { existsSync } from 'node:fs';
import { freePort } from './free-port.ts';
import { poll } from './poll.ts';
import { RunningProcess } from './running-process.ts';
import { makeTempDir } from './temp-dir.ts';

export interface VictoriaMetrics extends AsyncDisposable {
  readonly url: string;
  readonly process: RunningProcess;
  /** Lets queries find what was just taken, which by itself takes up to ten seconds. */
  flush(): Promise<void>;
  halt(): Promise<void>;
  /** At the same port, with the data it had. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Where Debian puts it, or undefined. */
export function findVictoriaMetrics(): string | undefined {
  return ['/usr/bin/victoria-metrics', '/usr/local/bin/victoria-metrics'].find(existsSync);
}

/** A real VictoriaMetrics on the loopback address, with data of its own. */
export async function startVictoriaMetrics(): Promise<VictoriaMetrics> {
  const command = findVictoriaMetrics();
  if (!command) throw new Error('victoria-metrics is missing: install it (apt-get install victoria-metrics)');
  const folder = await makeTempDir('victoria-metrics');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const launch = async () => {
    const running = new RunningProcess({
      name: 'victoria-metrics',
      command,
      args: [
        `-httpListenAddr=127.0.0.1:${port}`,
        `-storageDataPath=${folder.path}/data`,
        '-retentionPeriod=60d',
        // What was sent twice for want of an answer counts once.
        '-dedup.minScrapeInterval=1ms',
        '-memory.allowedBytes=128MB',
      ],
    });
    const isUp = () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => {
          if (!running.isRunning) throw new Error(running.tail());
          return false;
        },
      );
    await poll(isUp, { what: 'VictoriaMetrics answers' });
    return running;
  };
  let running = await launch();
  const stop = async () => {
    try {
      await running.stop();
    } finally {
      await folder.remove();
    }
  };
  return {
    url,
    get process() {
      return running;
    },
    async flush() {
      await (await fetch(`${url}/internal/force_flush`)).arrayBuffer();
    },
    async halt() {
      await running.stop();
    },
    async start() {
      running = await launch();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
