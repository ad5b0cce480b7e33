import { join } from 'node:path';
import { builtPath } from './repository.ts';
import { type ProcessExit, RunningProcess } from './running-process.ts';
import { makeTempDir } from './temp-dir.ts';

export interface AgentProcessOptions {
  serverUrl: string;
  serialNumber: string;
  /** `host:port` of the web interface and of sshd. */
  http?: string;
  ssh?: string;
  /** Address of the broker; none unless told, so that tests do not meet this machine's own. */
  mqtt?: string;
  /** The Node.js that runs it; that of the tests unless told. */
  node?: string;
  /** The command `pult` of a packed Pult, in place of what was built here and its Node.js. */
  pult?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** The built agent as its own process, with a state folder (its key) that outlives restarts. */
export interface AgentProcess extends AsyncDisposable {
  readonly serialNumber: string;
  readonly stateDir: string;
  /** The current process; another one after `start()`. */
  readonly process: RunningProcess;
  /** Resolves when the current process has a link, or when line `since` or a later one says so. */
  waitForLink(since?: number): Promise<void>;
  /** The address the agent prints while nobody has claimed it, and the token in it. */
  waitForActivation(): Promise<{ url: string; token: string }>;
  halt(): Promise<ProcessExit>;
  kill(): Promise<ProcessExit>;
  start(): void;
  /** Ends the process and removes its state. */
  stop(): Promise<void>;
}

/**
 * How long an agent waits for its next try is thrown by dice, up to a minute, and counts on from test to test. Here the dice
 * fall so low that it is back within a second of its server; how they fall otherwise is `back-off.test.ts`'s.
 */
const shortPauses = 'data:text/javascript,const{random}=Math;Math.random=()=>random()/64';

/** Of deploy/pult-agent.service: without them its memory, and what a stream costs, are others. */
const unitFlags = ['--max-semi-space-size=1', '--max-old-space-size=48', '--initial-old-space-size=24'];

export async function startAgentProcess(options: AgentProcessOptions): Promise<AgentProcess> {
  const folder = await makeTempDir('agent');
  const stateDir = join(folder.path, 'state');
  const endpoint = (flag: string, address?: string) => (address === undefined ? [] : [flag, address]);

  const [command = '', ...program] = options.pult
    ? [...options.pult, 'agent']
    : [
        options.node ?? process.execPath,
        ...unitFlags,
        ...['--import', shortPauses],
        builtPath('apps/agent/dist/pult-agent.mjs'),
      ];

  const launch = () =>
    new RunningProcess({
      name: `agent ${options.serialNumber}`,
      command,
      args: [
        ...program,
        'run',
        ...['--server', options.serverUrl],
        ...['--serial', options.serialNumber],
        ...['--state-dir', stateDir],
        ...endpoint('--http', options.http),
        ...endpoint('--ssh', options.ssh),
        ...endpoint('--mqtt', options.mqtt ?? 'off'),
      ],
      cwd: folder.path,
      ...(options.env === undefined ? {} : { env: options.env }),
    });

  let running = launch();
  const stop = async () => {
    try {
      await running.stop();
    } finally {
      await folder.remove();
    }
  };
  return {
    serialNumber: options.serialNumber,
    stateDir,
    get process() {
      return running;
    },
    async waitForLink(since = 0) {
      await running.waitForLine(/link: connected/, { since });
    },
    async waitForActivation() {
      const [, url = ''] = await running.waitForLine(/activation link: (\S+)/);
      return { url, token: new URL(url).searchParams.get('token') ?? '' };
    },
    halt: () => running.stop(),
    kill: () => running.kill(),
    start() {
      running = launch();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
