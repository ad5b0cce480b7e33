import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readlinkSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { poll, RunningProcess, runCommand } from '@pult/testkit';
import { assemble } from '../site.ts';
import {
  cloudAddress,
  deviceAddress,
  type LineCommand,
  type LineCounts,
  type LineEmulator,
  publicNetwork,
} from './emulator-protocol.ts';
import type { Line } from './lines.ts';

const folders = (process.env.PATH ?? '').split(':');
const isInstalled = (program: string) => folders.some((folder) => existsSync(`${folder}/${program}`));

/** What this machine lacks for lines in network namespaces; undefined when it has all. */
export function findMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may make network namespaces';
  const missing = ['unshare', 'nsenter', 'ip', 'python3'].filter((program) => !isInstalled(program));
  if (missing.length > 0) return `${missing.join(', ')} not found (util-linux, iproute2, python3)`;
  try {
    accessSync('/dev/net/tun', constants.R_OK | constants.W_OK);
  } catch {
    return '/dev/net/tun cannot be opened';
  }
  return undefined;
}

/** A program in network and process namespaces of its own: whatever it starts ends with it, and nothing stays. */
export function isolate(command: string, args: readonly string[]): [string, string[]] {
  const options = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  return ['unshare', [...options, command, ...args]];
}

async function runAll(stack: string, prefix: readonly string[], commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const [program = '', ...args] = [...prefix, ...command.split(' ')];
    const { code, stderr } = await runCommand(program, args);
    if (code !== 0) throw new Error(`${stack}: ${command} ended with ${code}: ${stderr}`);
  }
}

/** Two interfaces and a process between them; expects to run in a network namespace of its own (`isolate`). */
export function startLineEmulator(line: Line): Promise<LineEmulator> {
  return assemble(async (stack) => {
    const holder = stack.use(
      new RunningProcess({ name: 'device', command: 'unshare', args: ['--net', 'sleep', 'infinity'] }),
    );
    const space = (pid: number | 'self') => readlinkSync(`/proc/${pid}/ns/net`);
    await poll(async () => space(holder.pid) !== space('self'), { what: 'the device has a network' });
    const enter = ['nsenter', '--net', `--target=${holder.pid}`];

    const emulator = spawn(
      'python3',
      [
        fileURLToPath(new URL('./open-tuns.py', import.meta.url)),
        'cloud0,device0',
        ...[process.execPath, '--import', 'tsx', fileURLToPath(new URL('./emulator.ts', import.meta.url))],
        JSON.stringify(line),
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    stack.use({
      async [Symbol.asyncDispose]() {
        emulator.stdin.end();
        await once(emulator, 'close');
      },
    });
    const answers = createInterface({ input: emulator.stdout })[Symbol.asyncIterator]();
    await answers.next();

    // By the route: the setting of a whole namespace allows only what the machine itself has been told to.
    await runAll(
      'cloud',
      [],
      [
        'ip link set lo up',
        `ip link set device0 netns ${holder.pid}`,
        `ip address add ${cloudAddress}/32 dev cloud0`,
        'ip link set cloud0 up',
        `ip route add ${publicNetwork} dev cloud0 src ${cloudAddress} congctl cubic`,
      ],
    );
    await runAll('device', enter, [
      'ip link set lo up',
      `ip address add ${deviceAddress}/32 dev device0`,
      'ip link set device0 up',
      `ip route add default dev device0 src ${deviceAddress} congctl cubic`,
    ]);
    const settings = '/proc/sys/net/ipv4';
    // What one connection learned of the line would help the next, and so whoever is measured last.
    writeFileSync(`${settings}/tcp_no_metrics_save`, '1');
    const command = `echo 1 > ${settings}/tcp_no_metrics_save`;
    await runCommand('nsenter', [...enter.slice(1), 'sh', '-c', command]);

    let last: Promise<unknown> = Promise.resolve();
    const ask = async (command: LineCommand): Promise<LineCounts> => {
      emulator.stdin.write(`${command}\n`);
      const { value } = await answers.next();
      // Written by the emulator's own `count`.
      return JSON.parse(value ?? '') as LineCounts;
    };
    // One at a time: an answer belongs to the question before it.
    const tell = (command: LineCommand) => {
      const answer = last.then(() => ask(command));
      last = answer.catch(() => {});
      return answer;
    };
    return {
      onDevice: (command, args) => ['nsenter', [...enter.slice(1), command, ...args]],
      async reach(side, port) {
        if (side === 'cloud') return { host: cloudAddress, port };
        return { host: (await tell('count')).deviceHost, port };
      },
      tell,
    };
  });
}
