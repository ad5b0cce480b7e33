import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from './cli-error.ts';
import type { Env } from './env.ts';
import { folderOf } from './login-store.ts';
import type { Server } from './server.ts';

/** The name of the jump host in the configuration that OpenSSH is given. */
const jumpName = 'pult-jump-host';

/** What OpenSSH is given for one connection; `remove` takes the key away again. */
interface SshSetup {
  config: string;
  remove(): void;
}

interface JumpHost {
  host: string;
  port: number;
  hostKeyFingerprint: string;
}

function runProgram(program: string, args: string[]): string {
  const { stdout, error } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (error) throw new CliError('failed', `${program} is needed, of OpenSSH: ${error.message}`);
  return stdout;
}

/** The host key whose fingerprint the server tells over its own connection; nothing is taken on trust. */
function findHostKey({ host, port, hostKeyFingerprint }: JumpHost): string {
  // The server names the host: it is to be one, and no option.
  if (!/^[A-Za-z0-9[][\w.:[\]-]*$/.test(host)) throw new CliError('failed', 'The server names no jump host.');
  for (const line of runProgram('ssh-keyscan', ['-T', '10', '-p', String(port), host]).split('\n')) {
    const [, type, blob] = line.split(' ');
    if (type === undefined || blob === undefined || line.startsWith('#')) continue;
    const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64');
    if (`SHA256:${digest.replace('=', '')}` === hostKeyFingerprint) return `${type} ${blob}`;
  }
  throw new CliError(
    'unreachable',
    `The jump host ${host}:${port} does not show the key ${hostKeyFingerprint}.`,
  );
}

/** A value of OpenSSH's configuration. */
function quoted(value: string): string {
  if (/["\p{Cc}]/u.test(value))
    throw new CliError('failed', 'A name holds what the SSH configuration cannot.');
  return `"${value}"`;
}

/** Of a path OpenSSH expands what follows a percent sign. */
const quotedPath = (path: string) => quoted(path.replaceAll('%', '%%'));

/**
 * A key for this one connection, which the server takes for five minutes, and a configuration that names jump host and
 * controller. The controllers' own host keys are remembered beside the login.
 */
async function setUpSsh(server: Server, serialNumber: string, env: Env): Promise<SshSetup> {
  const { SSH_JUMP: jump } = await server.call('getEnvironments');
  if (!jump) throw new CliError('failed', 'The server has no jump host (SSH_JUMP_PORT).');
  const folder = mkdtempSync(join(tmpdir(), 'pult-ssh-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const key = join(folder, 'key');
    runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
    if (!existsSync(`${key}.pub`)) throw new CliError('failed', 'ssh-keygen made no key.');
    const known = join(folder, 'known_hosts');
    writeFileSync(known, `${jumpName} ${findHostKey(jump)}\n`);
    const publicKey = readFileSync(`${key}.pub`, 'utf8').trim();
    const { user } = await server.call('certifySshKey', { body: { publicKey } });
    mkdirSync(folderOf(env), { recursive: true, mode: 0o700 });
    const { host } = new URL(server.server);
    const lines = [
      `Host ${jumpName}`,
      `  HostName ${jump.host}`,
      `  Port ${jump.port}`,
      `  User ${quoted(user)}`,
      `  IdentityFile ${quotedPath(key)}`,
      '  IdentitiesOnly yes',
      '  IdentityAgent none',
      '  PreferredAuthentications publickey',
      `  HostKeyAlias ${jumpName}`,
      `  UserKnownHostsFile ${quotedPath(known)}`,
      '  GlobalKnownHostsFile /dev/null',
      '  StrictHostKeyChecking yes',
      '  ServerAliveInterval 15',
      `Host ${serialNumber}`,
      `  ProxyJump ${jumpName}`,
      `  HostKeyAlias ${serialNumber}.${host.replace(/[^\w.-]/g, '.')}`,
      `  UserKnownHostsFile ${quotedPath(join(folderOf(env), 'known_hosts'))}`,
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

/** Runs a program of OpenSSH at this terminal, by the configuration that it is given first; answers its exit code. */
export async function runOpenSsh(
  { server, serialNumber, env }: { server: Server; serialNumber: string; env: Env },
  program: string,
  args: readonly string[],
): Promise<number> {
  const setup = await setUpSsh(server, serialNumber, env);
  try {
    const child = spawn(program, ['-F', setup.config, ...args], { stdio: 'inherit' });
    // What is typed to end ssh is for ssh, and we clean up after it.
    process.on('SIGINT', () => {});
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
    return await new Promise((resolve, reject) => {
      child.on('error', (error) =>
        reject(new CliError('failed', `${program} cannot be run: ${error.message}`)),
      );
      child.on('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    setup.remove();
  }
}

/** The standard streams of this program as a connection to the SSH port of a controller. */
export const proxyArguments = (serialNumber: string) => ['-W', `${serialNumber}:22`, jumpName];
