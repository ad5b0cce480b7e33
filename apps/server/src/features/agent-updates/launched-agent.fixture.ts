import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir, RunningProcess, repositoryPath } from '@pult/testkit';

/** What the sources say, built once for the tests of a file. */
export async function buildAgent(): Promise<string> {
  execFileSync(process.execPath, [repositoryPath('apps/agent/build.mjs')]);
  return readFile(repositoryPath('apps/agent/dist/pult-agent.mjs'), 'utf8');
}

/** The built agent as another version of it, without the lines that the server's folder puts before it. */
export function asVersion(built: string, version: string): string {
  const own = /^\/\/ pult-agent (\S+)$/m.exec(built)?.[1];
  const [, , ...lines] = built.replaceAll(`"${own}"`, `"${version}"`).split('\n');
  return lines.join('\n');
}

interface LaunchOptions {
  serverUrl: string;
  serialNumber: string;
  /** How long a version has to link, in seconds. */
  probation?: number | undefined;
}

/** A machine on which the agent is installed: its launcher runs, and what starts services starts it again when it ends. */
export interface LaunchedAgent {
  /** Programs and state: the command lines of all its processes name it. */
  folder: string;
  stateDir: string;
  /** All that its processes have written, oldest first. */
  output(): string;
  /** The launcher or the agent in its place; undefined between two starts. */
  readonly pid: number | undefined;
  /** The token of the activation link that it shows. */
  waitForToken(): Promise<string>;
  /** By SIGKILL, and starts nothing any more. */
  stop(): Promise<void>;
}

/** From an end to the next start, in milliseconds; services wait for seconds. */
const restartMs = 100;

export async function installAgent({
  serverUrl,
  serialNumber,
  probation = 4,
}: LaunchOptions): Promise<LaunchedAgent> {
  const folder = await makeTempDir('launched-agent');
  const [home, stateDir] = [join(folder.path, 'home'), join(folder.path, 'state')];
  await mkdir(home);
  await cp(repositoryPath('apps/agent/dist/pult-agent.mjs'), join(home, 'pult-agent.mjs'));
  await cp(repositoryPath('deploy/pult-agent-launcher'), join(home, 'launcher'));
  let output = '';
  let running: RunningProcess | undefined;
  let isStopped = false;

  const keep = async () => {
    while (!isStopped) {
      running = new RunningProcess({
        name: `launcher of ${serialNumber}`,
        command: join(home, 'launcher'),
        args: [
          process.execPath,
          '--max-semi-space-size=1',
          '--max-old-space-size=48',
          '--initial-old-space-size=24',
          '--initial-old-space-size=24',
        ],
        env: {
          PULT_STATE_DIR: stateDir,
          PULT_PROBATION_SECONDS: String(probation),
          PULT_SERVER: serverUrl,
          PULT_SERIAL: serialNumber,
          PULT_MQTT: 'off',
        },
      });
      await running.exited;
      output += `${running.tail()}\n`;
      running = undefined;
      await new Promise((resolve) => setTimeout(resolve, restartMs));
    }
  };
  const kept = keep();

  return {
    folder: folder.path,
    stateDir,
    output: () => output + (running?.tail() ?? ''),
    get pid() {
      return running?.pid;
    },
    async waitForToken() {
      const [, url = ''] = (await running?.waitForLine(/activation link: (\S+)/)) ?? [];
      return new URL(url).searchParams.get('token') ?? '';
    },
    async stop() {
      isStopped = true;
      await running?.kill();
      await kept;
      for (const pid of await listProcesses(folder.path)) process.kill(pid, 'SIGKILL');
      await folder.remove();
    },
  };
}

/** The processes whose command line names that folder. */
export async function listProcesses(folder: string): Promise<number[]> {
  const found = execFileSync('sh', ['-c', 'grep -slF -- "$1" /proc/[0-9]*/cmdline || :', 'list', folder], {
    encoding: 'utf8',
  });
  const pids = [...found.matchAll(/^\/proc\/(\d+)\//gm)].map(([, pid]) => Number(pid));
  // The search itself names it, too, and has ended by now.
  const alive = [];
  for (const pid of pids) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes(folder)) alive.push(pid);
  }
  return alive;
}
