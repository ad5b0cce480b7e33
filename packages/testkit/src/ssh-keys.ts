import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SshKey {
  /** The private key's file, in OpenSSH's own format; `<path>.pub` lies beside it. */
  path: string;
  privateKey: string;
  /** `<type> <base64>`, without a comment. */
  publicKey: string;
  /** `SHA256:<base64>`. */
  fingerprint: string;
}

export type SshKeyType = 'ed25519' | 'ecdsa' | 'rsa' | 'dsa';

/** Makes a key with OpenSSH's own tool, an Ed25519 key unless another type is named. */
export async function makeSshKey(
  path: string,
  passphrase = '',
  { type = 'ed25519', bits }: { type?: SshKeyType; bits?: number } = {},
): Promise<SshKey> {
  const size = bits === undefined ? [] : ['-b', String(bits)];
  await run('ssh-keygen', ['-q', '-t', type, ...size, '-N', passphrase, '-C', 'pult-test', '-f', path]);
  const [privateKey, publicKeyFile, { stdout }] = await Promise.all([
    readFile(path, 'utf8'),
    readFile(`${path}.pub`, 'utf8'),
    run('ssh-keygen', ['-l', '-f', `${path}.pub`]),
  ]);
  const fingerprint = /SHA256:\S+/.exec(stdout)?.[0];
  if (!fingerprint) throw new Error(`ssh-keygen gave no fingerprint: ${stdout}`);
  return {
    path,
    privateKey,
    publicKey: publicKeyFile.split(' ').slice(0, 2).join(' '),
    fingerprint,
  };
}
