import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { RunningProcess } from './running-process.ts';
import { makeSshKey, type SshKey } from './ssh-keys.ts';
import { makeTempDir } from './temp-dir.ts';

export interface SshServer extends AsyncDisposable {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** `127.0.0.1:<port>`, as the agent's `--ssh` takes it. */
  readonly address: string;
  /** The account of this test process, the only one that can log in. */
  readonly user: string;
  /** Authorized for `user`. */
  readonly clientKey: SshKey;
  readonly hostKey: SshKey;
  /** A folder that lives as long as the server. */
  readonly folder: string;
  readonly process: RunningProcess;
  /** Starts again on the same port with a new host key, as a device does after it was set up anew. */
  replaceHostKey(): Promise<void>;
  stop(): Promise<void>;
}

/** Debian keeps sshd out of the PATH of ordinary users, and sshd insists on an absolute path. */
function findSshd(): string {
  const path = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].find((file) => existsSync(file));
  if (!path) throw new Error('sshd is missing: install openssh-server (apt-get install openssh-server)');
  return path;
}

async function writeConfig(folder: string, port: number, listenAddress: string): Promise<string> {
  const lines = [
    `Port ${port}`,
    `ListenAddress ${listenAddress}`,
    `HostKey ${folder}/host-key`,
    `AuthorizedKeysFile ${folder}/authorized-keys`,
    'PidFile none',
    'UsePAM no',
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'PermitUserEnvironment no',
    'PrintMotd no',
    'PrintLastLog no',
    'MaxStartups 100',
    'Subsystem sftp internal-sftp',
    'LogLevel VERBOSE',
    // The account's own start-up files may do anything, such as wait for a lock: sessions find none.
    `SetEnv HOME=${folder}`,
  ];
  const path = join(folder, 'sshd_config');
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

async function startSshd(sshd: string, config: string): Promise<RunningProcess> {
  const process = new RunningProcess({ name: 'sshd', command: sshd, args: ['-D', '-e', '-f', config] });
  await process.waitForLine(/Server listening on/);
  return process;
}

/** OpenSSH's real sshd, on the loopback address unless told, with keys and settings of its own; login by key only. */
export async function startSshServer({ listenAddress = '127.0.0.1' } = {}): Promise<SshServer> {
  const sshd = findSshd();
  // Privilege separation needs this folder; a service manager would have made it.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  const folder = await makeTempDir('sshd');
  const clientKey = await makeSshKey(join(folder.path, 'client-key'));
  let hostKey = await makeSshKey(join(folder.path, 'host-key'));
  await writeFile(join(folder.path, 'authorized-keys'), `${clientKey.publicKey}\n`);
  const port = await freePort();
  const config = await writeConfig(folder.path, port, listenAddress);
  let sshdProcess = await startSshd(sshd, config);

  const stop = async () => {
    await sshdProcess.stop();
    await folder.remove();
  };
  return {
    host: '127.0.0.1',
    port,
    address: `127.0.0.1:${port}`,
    user: userInfo().username,
    clientKey,
    folder: folder.path,
    get hostKey() {
      return hostKey;
    },
    get process() {
      return sshdProcess;
    },
    async replaceHostKey() {
      await sshdProcess.stop();
      await Promise.all([rm(hostKey.path), rm(`${hostKey.path}.pub`)]);
      hostKey = await makeSshKey(hostKey.path);
      sshdProcess = await startSshd(sshd, config);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
