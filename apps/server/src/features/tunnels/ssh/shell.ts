import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import ssh2, { type Client, type ClientChannel } from 'ssh2';

export interface ShellPrompt {
  title: string;
  instructions: string;
  prompts: { text: string; echo: boolean }[];
}

export interface ShellOptions {
  username: string;
  credential:
    | { method: 'password'; password: string }
    | { method: 'private_key'; privateKey: string; passphrase?: string | undefined };
  size: { columns: number; rows: number };
  /** Looks the device's host key up, or remembers it when it is the first. */
  pinHostKey: (key: Buffer) => Promise<{ pinned: Buffer; isNew: boolean }>;
  /** Asks the person what the device asks (keyboard-interactive); `Shell.answer` brings the answers. */
  ask: (prompt: ShellPrompt) => void;
}

export interface ShellEnd {
  exitCode: number | null;
  signal: string | null;
}

/** An interactive shell on a device. Owns the SSH connection, which owns the stream it was opened on. */
export interface Shell {
  readonly hostKey: { fingerprint: string; isNew: boolean };
  readonly bytesIn: number;
  readonly bytesOut: number;
  answer(answers: string[]): void;
  resize(size: { columns: number; rows: number }): void;
  /** False when the device is slower than the typist: wait for `onDrain`. */
  write(chunk: Buffer): boolean;
  onDrain(listener: () => void): void;
  /** Carries the output until the shell ends. `write` answers false when its reader is behind. */
  carry(output: { write(chunk: Buffer, done: () => void): boolean }): Promise<ShellEnd>;
}

export type SshFailureCode =
  | 'ssh_authentication_failed'
  | 'ssh_private_key_invalid'
  | 'host_key_changed'
  | 'ssh_failed';

/** The device's SSH server was reached but let no one in. */
export class SshFailure extends Error {
  override readonly name = 'SshFailure';
  readonly code: SshFailureCode;
  /** Both, when they differ. */
  readonly fingerprints: { pinnedFingerprint?: string; presentedFingerprint?: string };

  constructor(code: SshFailureCode, fingerprints = {}) {
    super(code);
    this.code = code;
    this.fingerprints = fingerprints;
  }
}

/** As OpenSSH shows it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

function readCredential(credential: ShellOptions['credential']) {
  if (credential.method === 'password') return { password: credential.password, tryKeyboard: true };
  const { privateKey, passphrase } = credential;
  const parsed = ssh2.utils.parseKey(privateKey, passphrase);
  if (parsed instanceof Error) throw new SshFailure('ssh_private_key_invalid');
  return { privateKey, ...(passphrase === undefined ? {} : { passphrase }) };
}

/**
 * Logs in over `connection` and opens a shell. `onOpening` gets the shell before the login is done, since the
 * login itself may ask. Rejects with SshFailure, or with the error that cut the connection.
 */
export async function openShell(
  connection: Duplex,
  options: ShellOptions,
  onOpening: (shell: Shell) => void,
): Promise<Shell> {
  const login = readCredential(options.credential);
  const client = new ssh2.Client();
  const bytes = { in: 0, out: 0 };
  const hostKey = { fingerprint: '', isNew: false };
  let size = options.size;
  let channel: ClientChannel | undefined;
  let answerPrompt: ((answers: string[]) => void) | undefined;
  let mismatch: SshFailure | undefined;
  let cut: Error | undefined;
  // ssh2 reports a stream that broke as its own vague error; the stream's says why.
  connection.on('error', (error) => {
    cut = error;
  });

  const shell: Shell = {
    hostKey,
    get bytesIn() {
      return bytes.in;
    },
    get bytesOut() {
      return bytes.out;
    },
    answer(answers) {
      answerPrompt?.(answers);
      answerPrompt = undefined;
    },
    resize(next) {
      size = next;
      channel?.setWindow(next.rows, next.columns, 0, 0);
    },
    write(chunk) {
      bytes.in += chunk.length;
      return channel?.write(chunk) ?? true;
    },
    onDrain: (listener) => void channel?.once('drain', listener),
    carry: (output) =>
      carryOutput(
        client,
        channel,
        () => cut,
        (chunk) => {
          bytes.out += chunk.length;
          return output.write(chunk, () => channel?.resume());
        },
      ),
  };
  onOpening(shell);

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
    client.on('error', (error) => {
      if (mismatch) reject(mismatch);
      else if ('level' in error && error.level === 'client-authentication') {
        reject(new SshFailure('ssh_authentication_failed'));
      } else reject(cut ?? new SshFailure('ssh_failed'));
    });
    client.on('close', () => reject(mismatch ?? cut ?? new SshFailure('ssh_failed')));
    client.on('keyboard-interactive', (title, instructions, _language, prompts, finish) => {
      if (prompts.length === 0) return finish([]);
      answerPrompt = finish;
      options.ask({
        title,
        instructions,
        prompts: prompts.map(({ prompt, echo }) => ({ text: prompt, echo: echo ?? false })),
      });
    });
    client.connect({
      // ssh2 takes any duplex stream; its type only knows Readable.
      sock: connection,
      username: options.username,
      ...login,
      hostVerifier: verifyHostKey,
      keepaliveInterval: 15_000,
      keepaliveCountMax: 3,
      // A person may be typing a one-time code.
      readyTimeout: 120_000,
    });
  }).catch((error: unknown) => {
    client.destroy();
    throw error;
  });

  const pty = () => ({ term: 'xterm-256color', cols: size.columns, rows: size.rows });
  channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.shell(pty(), (error, opened) => (error ? reject(new SshFailure('ssh_failed')) : resolve(opened)));
  });
  return shell;
}

function carryOutput(
  client: Client,
  channel: ClientChannel | undefined,
  getCut: () => Error | undefined,
  write: (chunk: Buffer) => boolean,
): Promise<ShellEnd> {
  if (!channel) throw new Error('the shell is not open');
  return new Promise((resolve, reject) => {
    let end: ShellEnd | undefined;
    const onData = (chunk: Buffer) => {
      if (!write(chunk)) channel.pause();
    };
    channel.on('data', onData);
    channel.stderr.on('data', onData);
    channel.on('exit', (code: number | null, signal?: string) => {
      end = { exitCode: code, signal: signal ?? null };
    });
    channel.on('close', () => {
      client.end();
      if (end) resolve(end);
      else reject(getCut() ?? new SshFailure('ssh_failed'));
    });
    client.on('close', () => {
      if (!end) reject(getCut() ?? new SshFailure('ssh_failed'));
    });
  });
}
