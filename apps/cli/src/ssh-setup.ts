import { spawnSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from './cli-error.ts';
import { folderOf } from './login-store.ts';
import type { Server } from './server.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The name of the jump host in the configuration that OpenSSH is given. */
const jumpName = 'pult-jump-host';

/** What OpenSSH is given for one connection; `remove` takes the key away again. */
export interface SshSetup {
  config: string;
  remove(): void;
}

function runProgram(program: string, args: string[]): string {
  const { status, stdout, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) throw new CliError('failed', `${program} is needed, of OpenSSH: ${error.message}`);
  return status === 0 ? stdout : '';
}

/** The line of the host key whose fingerprint the server tells over its own connection; nothing is taken on trust. */
function findHostKey({ host, port, hostKeyFingerprint }: { host: string; port: number; hostKeyFingerprint: string }) {
  for (const line of runProgram('ssh-keyscan', ['-T', '10', '-p', String(port), host]).split('\n')) {
    const [, type, blob] = line.split(' ');
    if (type === undefined || blob === undefined || line.startsWith('#')) continue;
    const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64').replace(/=+$/, '');
    if (`SHA256:${digest}` === hostKeyFingerprint) return `${type} ${blob}`;
  }
  throw new CliError('unreachable', `The jump host ${host}:${port} does not show the key ${hostKeyFingerprint}.`);
}

/** A value of OpenSSH's configuration. */
const quoted = (value: string) => `"${value.replaceAll('"', '')}"`;

/**
 * A key for this one connection, which the server takes for five minutes, and a configuration that names jump host and
 * controller. The controllers' own host keys are remembered beside the login.
 */
export async function setUpSsh(server: Server, serialNumber: string, env: Env): Promise<SshSetup> {
  const { SSH_JUMP: jump } = await server.call('getEnvironments');
  if (!jump) throw new CliError('failed', 'The server has no jump host (SSH_JUMP_PORT).');
  const folder = mkdtempSync(join(tmpdir(), 'pult-ssh-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const key = join(folder, 'key');
    runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
    if (!existsSync(`${key}.pub`)) throw new CliError('failed', 'ssh-keygen made no key.');
    const publicKey = readFileSync(`${key}.pub`, 'utf8').trim();
    const { user } = await server.call('certifySshKey', { body: { publicKey } });
    const known = join(folder, 'known_hosts');
    writeFileSync(known, `${jumpName} ${findHostKey(jump)}\n`);
    mkdirSync(folderOf(env), { recursive: true, mode: 0o700 });
    const { host } = new URL(server.server);
    const lines = [
      `Host ${jumpName}`,
      `  HostName ${jump.host}`,
      `  Port ${jump.port}`,
      `  User ${quoted(user)}`,
      `  IdentityFile ${quoted(key)}`,
      '  IdentitiesOnly yes',
      '  PreferredAuthentications publickey',
      `  HostKeyAlias ${jumpName}`,
      `  UserKnownHostsFile ${quoted(known)}`,
      '  StrictHostKeyChecking yes',
      '  ServerAliveInterval 15',
      `Host ${serialNumber}`,
      `  HostName ${serialNumber}`,
      `  ProxyJump ${jumpName}`,
      `  HostKeyAlias ${serialNumber}.${host.replace(':', '.')}`,
      `  UserKnownHostsFile ${quoted(join(folderOf(env), 'known_hosts'))}`,
      '  StrictHostKeyChecking accept-new',
    ];
    const config = join(folder, 'config');
    writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 });
    return { config, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Runs a program of OpenSSH at this terminal; answers its exit code. */
export async function runOpenSsh(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit' });
  // What is typed to end ssh is for ssh, and we clean up after it.
  const ignore = () => {};
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, signal === 'SIGINT' ? ignore : () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new CliError('failed', `${program} cannot be run: ${error.message}`)));
    child.on('close', (code) => resolve(code ?? 255));
  });
}

/** The standard streams of this program as a connection to the SSH port of a controller. */
export const proxyArguments = ({ config }: SshSetup, serialNumber: string) => [
  '-F',
  config,
  '-W',
  `${serialNumber}:22`,
  jumpName,
];
