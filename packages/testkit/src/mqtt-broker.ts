import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { runCommand } from './run-command.ts';
import { RunningProcess } from './running-process.ts';
import { makeTempDir } from './temp-dir.ts';

export interface MqttBroker extends AsyncDisposable {
  readonly port: number;
  /** As the agent's `--mqtt` takes it. */
  readonly url: string;
  readonly process: RunningProcess;
  /** Publishes by Mosquitto's own client. */
  publish(topic: string, payload: string | Buffer, options?: { retain?: boolean }): Promise<void>;
  /** One message a line, over one connection. */
  publishLines(topic: string, lines: readonly string[]): Promise<void>;
  /** What is retained at a topic; undefined where nothing is. */
  readRetained(topic: string): Promise<string | undefined>;
  halt(): Promise<void>;
  /** At the same port, with nothing retained. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Debian keeps it out of the PATH of ordinary users. */
function findMosquitto(): string {
  const path = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/usr/bin/mosquitto'].find(existsSync);
  if (!path)
    throw new Error('mosquitto is missing: install it (apt-get install mosquitto mosquitto-clients)');
  return path;
}

/** A real Mosquitto on the loopback address. */
export async function startMqttBroker(): Promise<MqttBroker> {
  const mosquitto = findMosquitto();
  const folder = await makeTempDir('mosquitto');
  const port = await freePort();
  const config = join(folder.path, 'mosquitto.conf');
  const lines = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'persistence false',
    'log_dest stderr',
    // A burst is what some tests are about.
    'max_queued_messages 0',
  ];
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o644 });

  const launch = async () => {
    const running = new RunningProcess({ name: 'mosquitto', command: mosquitto, args: ['-c', config, '-v'] });
    await running.waitForLine(/mosquitto version .* running/);
    return running;
  };
  let running = await launch();

  const runClient = (name: string, args: readonly string[], input: string | Buffer = '') =>
    runCommand(name, ['-h', '127.0.0.1', '-p', String(port), ...args], { input });
  const publish = async (args: readonly string[], input: string | Buffer) => {
    const { code, stderr } = await runClient('mosquitto_pub', args, input);
    if (code !== 0) throw new Error(`mosquitto_pub ended with ${code}: ${stderr}`);
  };
  const stop = async () => {
    try {
      await running.stop();
    } finally {
      await folder.remove();
    }
  };
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    get process() {
      return running;
    },
    publish: (topic, payload, { retain = false } = {}) =>
      payload.length === 0
        ? publish([...(retain ? ['-r'] : []), '-t', topic, '-n'], '')
        : publish([...(retain ? ['-r'] : []), '-t', topic, '-s'], payload),
    publishLines: (topic, lines) => publish(['-t', topic, '-l'], lines.map((line) => `${line}\n`).join('')),
    async readRetained(topic) {
      // It ends with the first message: a limit of a second is for a topic without one.
      const args = ['-t', topic, '-C', '1', '--retained-only', '-W', '1'];
      const { code, stdout } = await runClient('mosquitto_sub', args);
      return code === 0 ? stdout.replace(/\n$/, '') : undefined;
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
