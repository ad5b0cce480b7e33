import type { Duplex } from 'node:stream';
import ssh2, { type Client } from 'ssh2';
import { fingerprintOf } from '../../../platform/ssh-fingerprint.ts';
import { SshFailure } from './ssh-failure.ts';

export type Credential =
  | { method: 'password'; password: string }
  | { method: 'private_key'; privateKey: string; passphrase?: string | undefined };

export interface ShellPrompt {
  title: string;
  instructions: string;
  prompts: { text: string; echo: boolean }[];
}

export interface HostKey {
  fingerprint: string;
  /** Pinned just now, at the first login. */
  isNew: boolean;
}

export interface LoginOptions {
  username: string;
  credential: Credential;
  /** Looks the device's host key up, or remembers it when it is the first. */
  pinHostKey: (key: Buffer) => Promise<{ pinned: Buffer; isNew: boolean }>;
  /** Asks the person what the device asks (keyboard-interactive). */
  ask: (prompt: ShellPrompt, answer: (answers: string[]) => void) => void;
}

/** A person may be typing a one-time code. */
const loginTimeout = 120_000;

function readCredential(credential: Credential) {
  if (credential.method === 'password') return { password: credential.password, tryKeyboard: true };
  const { privateKey, passphrase } = credential;
  const parsed = ssh2.utils.parseKey(privateKey, passphrase);
  if (parsed instanceof Error || !parsed.isPrivateKey()) throw new SshFailure('ssh_private_key_invalid');
  return { privateKey, ...(passphrase === undefined ? {} : { passphrase }) };
}

/**
 * Logs in over `connection`; the client owns it from then on. Nothing secret is sent before the host key is the
 * pinned one. Rejects with SshFailure, or with what `getCut` knows of a connection that broke.
 */
export async function logIn(
  connection: Duplex,
  options: LoginOptions,
  getCut: () => Error | undefined,
): Promise<{ client: Client; hostKey: HostKey }> {
  const login = readCredential(options.credential);
  const client = new ssh2.Client();
  const hostKey: HostKey = { fingerprint: '', isNew: false };
  let mismatch: SshFailure | undefined;

  const verifyHostKey = (key: Buffer, verify: (valid: boolean) => void) => {
    options.pinHostKey(key).then(
      ({ pinned, isNew }) => {
        hostKey.fingerprint = fingerprintOf(key);
        hostKey.isNew = isNew;
        if (!pinned.equals(key)) {
          const fingerprints = {
            pinnedFingerprint: fingerprintOf(pinned),
            presentedFingerprint: hostKey.fingerprint,
          };
          mismatch = new SshFailure('host_key_changed', fingerprints);
        }
        verify(mismatch === undefined);
      },
      () => verify(false),
    );
  };

  await new Promise<void>((resolve, reject) => {
    client.on('ready', resolve);
    // Stays for the client's whole life: an error that nobody hears would end the process.
    client.on('error', (error) => {
      if (mismatch) reject(mismatch);
      else if ('level' in error && error.level === 'client-authentication') {
        reject(new SshFailure('ssh_authentication_failed'));
      } else reject(getCut() ?? new SshFailure('ssh_failed'));
    });
    client.on('close', () => reject(mismatch ?? getCut() ?? new SshFailure('ssh_failed')));
    client.on('keyboard-interactive', (title, instructions, _language, prompts, finish) => {
      if (prompts.length === 0) return finish([]);
      const asked = prompts.map(({ prompt, echo }) => ({ text: prompt, echo: echo ?? false }));
      options.ask({ title, instructions, prompts: asked }, finish);
    });
    client.connect({
      // ssh2 takes any duplex stream; its type only knows Readable.
      sock: connection,
      username: options.username,
      ...login,
      hostVerifier: verifyHostKey,
      keepaliveInterval: 15_000,
      keepaliveCountMax: 3,
      readyTimeout: loginTimeout,
    });
  });
  return { client, hostKey };
}
