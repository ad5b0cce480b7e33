import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSshKey, makeTempDir, poll, RunningProcess, runCommand, startStopwatch } from '@pult/testkit';
import { scanHostKey } from './jump-client.ts';
import { claimShown, type Site } from './site.ts';

/** A program by which devices come in: stock OpenSSH, or dropbear's. */
export interface SshProgram {
  name: 'ssh' | 'dbclient';
  /** Makes a key in the program's own format; its file. */
  makeKey(folder: string): Promise<string>;
  /** The options of somebody who has pasted the line of the documentation. */
  listOptions(folder: string, key: string): string[];
}

export const openSsh: SshProgram = {
  name: 'ssh',
  makeKey: async (folder) => (await makeSshKey(join(folder, 'key'))).path,
  listOptions: (folder, key) => [
    ...['-F', 'none', '-i', key],
    ...[
      ...['IdentitiesOnly=yes', 'IdentityAgent=none', 'ExitOnForwardFailure=yes', 'ServerAliveInterval=30'],
      ...['ServerAliveCountMax=3', 'StrictHostKeyChecking=yes', 'GlobalKnownHostsFile=/dev/null'],
      `UserKnownHostsFile=${join(folder, '.ssh', 'known_hosts')}`,
    ].flatMap((option) => ['-o', option]),
  ],
};

export const dropbear: SshProgram = {
  name: 'dbclient',
  async makeKey(folder) {
    const path = join(folder, 'key');
    const made = await runCommand('dropbearkey', ['-t', 'ed25519', '-f', path]);
    if (made.code !== 0) throw new Error(made.stderr);
    return path;
  },
  listOptions: (_folder, key) => ['-i', key, '-K', '30', '-o', 'ExitOnForwardFailure=yes'],
};

interface DeviceOptions {
  program: SshProgram;
  port: number;
  /** Each with `-R` before it. */
  forwards: string[];
  user?: string;
  /** Before the user and host, behind the forwards. */
  options?: string[];
  env?: Record<string, string>;
}

/** A device with nothing but an SSH client. */
export interface SshClientDevice extends AsyncDisposable {
  readonly key: string;
  readonly process: RunningProcess;
  /** Connects once more, beside what is there. */
  connect(more?: Partial<DeviceOptions>): RunningProcess;
  /** Runs the program to its end, without forwards. */
  run(args: string[], more?: Partial<DeviceOptions>): ReturnType<typeof runCommand>;
}

export async function startSshDevice(options: DeviceOptions): Promise<SshClientDevice> {
  const folder = await makeTempDir('ssh-device');
  await mkdir(join(folder.path, '.ssh'), { mode: 0o700 });
  const hostKey = await scanHostKey(options.port);
  // OpenSSH writes the port, dropbear does not.
  const lines = [`[127.0.0.1]:${options.port} ${hostKey}`, `127.0.0.1 ${hostKey}`];
  await writeFile(join(folder.path, '.ssh', 'known_hosts'), `${lines.join('\n')}\n`);
  const key = await options.program.makeKey(folder.path);
  const processes: RunningProcess[] = [];

  const words = ({ program, port, user = 'device' }: DeviceOptions, between: string[], behind: string[]) => [
    ...program.listOptions(folder.path, key),
    ...between,
    ...['-p', String(port), `${user}@127.0.0.1`],
    ...behind,
  ];
  const connect = (more: Partial<DeviceOptions> = {}) => {
    const all = { ...options, ...more };
    const forwards = all.forwards.flatMap((forward) => ['-R', forward]);
    const running = new RunningProcess({
      name: all.program.name,
      command: all.program.name,
      args: words(all, ['-N', ...forwards, ...(all.options ?? [])], []),
      env: { HOME: folder.path, ...all.env },
    });
    processes.push(running);
    return running;
  };
  const first = connect();
  return {
    key,
    process: first,
    connect,
    run: (args, more = {}) =>
      runCommand(options.program.name, words({ ...options, ...more }, more.options ?? [], args), {
        env: { HOME: folder.path, ...more.env },
        timeoutMs: 20_000,
      }),
    async [Symbol.asyncDispose]() {
      for (const each of processes) await each.stop();
      await folder.remove();
    },
  };
}

/** Claims the device by the link that it was shown, and waits until it is online: the site, seen from its controller. */
export async function claimSshDevice(site: Site, { process }: SshClientDevice): Promise<Site> {
  const [device] = await process.waitForLine(/Controller \S+ belongs to nobody yet/);
  const [link] = await process.waitForLine(/token=[A-Z2-7-]+/);
  return claimShown(site, `${device}\n${link}`);
}

/** Until the program has ended; the milliseconds that this process and the server of the site took. */
export async function untilEnded(
  process: RunningProcess,
  site: Site,
  act: () => Promise<unknown>,
): Promise<number> {
  const elapsed = startStopwatch(site.server.process);
  await act();
  await poll(async () => !process.isRunning, { what: `${process.name} has ended` });
  return elapsed();
}
