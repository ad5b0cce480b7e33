import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CommandResult,
  makeTempDir,
  type RunCommandOptions,
  runCommand,
  type SshKey,
  type SshServer,
} from '@pult/testkit';

/** Stock OpenSSH as a person has set it up who reaches controllers through the jump host of a site. */
export interface JumpClient extends AsyncDisposable {
  /** `<email>@127.0.0.1:<port>`, as `-J` takes it. */
  jump: string;
  /** Options that come first. */
  options: string[];
  folder: string;
  run(command: string, args: string[], more?: RunCommandOptions): Promise<CommandResult>;
}

interface JumpOptions {
  port: number;
  email: string;
  key: SshKey;
  /** Of the jump host, where it is known; otherwise it is scanned. */
  hostKey?: string;
}

/**
 * The host key as `ssh-keyscan` sees it. That says nothing before the server does: from an address of TRUSTED_PROXIES it waits in
 * vain, since the server waits there for a PROXY header.
 */
export async function scanHostKey(port: number): Promise<string> {
  const { stdout, stderr } = await runCommand('ssh-keyscan', [
    ...['-t', 'ed25519', '-p', String(port)],
    // On a busy machine its own five seconds are short.
    ...['-T', '30'],
    '127.0.0.1',
  ]);
  const key = /^\[127\.0\.0\.1\]:\d+ (ssh-ed25519 \S+)$/m.exec(stdout)?.[1];
  if (!key) throw new Error(`no host key: ${stdout}${stderr}`);
  return key;
}

/** Trusts the jump host and the device by their right keys, and reads nothing of the person who runs the tests. */
export async function createJumpClient(
  site: { ssh: Pick<SshServer, 'hostKey' | 'clientKey'> },
  { port, email, key, hostKey }: JumpOptions,
): Promise<JumpClient> {
  const folder = await makeTempDir('jump');
  const path = (name: string) => join(folder.path, name);
  const jumpKey = hostKey ?? (await scanHostKey(port));
  const lines = [`[127.0.0.1]:${port} ${jumpKey}`, `device ${site.ssh.hostKey.publicKey}`];
  await writeFile(path('known-hosts'), `${lines.join('\n')}\n`);
  const config = [
    'Host 127.0.0.1',
    `  IdentityFile ${key.path}`,
    'Host *',
    `  IdentityFile ${site.ssh.clientKey.path}`,
    '  IdentitiesOnly yes',
    '  IdentityAgent none',
    '  BatchMode yes',
    '  StrictHostKeyChecking yes',
    `  UserKnownHostsFile ${path('known-hosts')}`,
    '  GlobalKnownHostsFile /dev/null',
    '  ConnectTimeout 20',
    'Match !host 127.0.0.1',
    '  HostKeyAlias device',
  ];
  await writeFile(path('config'), `${config.join('\n')}\n`);
  const jump = `${email}@127.0.0.1:${port}`;
  const options = ['-F', path('config'), '-J', jump];
  return {
    jump,
    options,
    folder: folder.path,
    run: (command, args, more) => runCommand(command, [...options, ...args], more),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}
