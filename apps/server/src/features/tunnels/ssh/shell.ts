import type { Duplex, Readable } from 'node:stream';
import type { Client, ClientChannel, SFTPWrapper } from 'ssh2';
import { makeInert } from '../../../platform/inert-text.ts';
import { type HostKey, type LoginOptions, logIn, type ShellPrompt } from './log-in.ts';
import { SshFailure } from './ssh-failure.ts';

export interface Size {
  columns: number;
  rows: number;
}

export interface ShellOptions extends Omit<LoginOptions, 'ask'> {
  size: Size;
  /** `Shell.answer` brings the answers. */
  ask: (prompt: ShellPrompt) => void;
  /** The shell is open; its first output follows. */
  onReady: (hostKey: HostKey) => void;
  /** Takes output; false when its reader is behind, until `done` is called. */
  onOutput: (chunk: Buffer, done: () => void) => boolean;
  /** Bytes that went to the device and came from it. */
  onBytes?: (bytesIn: number, bytesOut: number) => void;
}

export interface ShellEnd {
  exitCode: number | null;
  signal: string | null;
}

/** An interactive shell on a device. Owns the SSH connection, which owns the stream it was opened on. */
export interface Shell {
  readonly bytesIn: number;
  readonly bytesOut: number;
  answer(answers: string[]): void;
  resize(size: Size): void;
  /** `ack` is called once the device has it, unless the shell ends before. What comes before the shell is lost. */
  write(chunk: Buffer, ack: () => void): void;
  /** One more channel of the same login, for files. Rejects with `sftp_unavailable` where the device has no SFTP. */
  openSftp(): Promise<SFTPWrapper>;
  /** Ends the shell and all that belongs to its login. */
  close(): void;
  /** Rejects with SshFailure, or with the error that cut the connection. */
  readonly ended: Promise<ShellEnd>;
}

/**
 * Logs in over `connection` and opens a shell. `onOpening` gets the shell before the login is done, since the
 * login itself may ask. Rejects, with the connection closed, as `Shell.ended` does.
 */
export async function openShell(
  connection: Duplex,
  options: ShellOptions,
  onOpening: (shell: Shell) => void,
): Promise<Shell> {
  const bytes = { in: 0, out: 0 };
  let size = { ...options.size };
  let channel: ClientChannel | undefined;
  let login: Client | undefined;
  let answerPrompt: ((answers: string[]) => void) | undefined;
  let cut: Error | undefined;
  // ssh2 reports a stream that broke as its own vague error; the stream's says why.
  connection.on('error', (error) => {
    cut = error;
  });
  const getCut = () => cut;
  let end: (end: Promise<ShellEnd>) => void = () => {};
  const ended = new Promise<ShellEnd>((resolve) => {
    end = resolve;
  });
  // Whoever opens it asks for the end in their own time.
  ended.catch(() => {});

  const shell: Shell = {
    ended,
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
      size = { ...next };
      channel?.setWindow(next.rows, next.columns, 0, 0);
    },
    write(chunk, ack) {
      if (!channel?.writable) return;
      bytes.in += chunk.length;
      options.onBytes?.(chunk.length, 0);
      channel.write(chunk, (error) => {
        if (!error) ack();
      });
    },
    openSftp: () =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new SshFailure('sftp_unavailable'));
        if (!login) return fail();
        login.sftp((error, sftp) => (error ? fail() : resolve(sftp)));
      }),
    close: () => connection.destroy(),
  };
  onOpening(shell);

  try {
    const ask = (prompt: ShellPrompt, answer: (answers: string[]) => void) => {
      answerPrompt = answer;
      options.ask(prompt);
    };
    const { client, hostKey } = await logIn(connection, { ...options, ask }, getCut);
    login = client;
    const asked = size;
    await requestShell(client, asked, getCut, (opened) => {
      channel = opened;
      options.onReady(hostKey);
      if (size !== asked) shell.resize(size);
      const onOutput = (chunk: Buffer, done: () => void) => {
        bytes.out += chunk.length;
        options.onBytes?.(0, chunk.length);
        return options.onOutput(chunk, done);
      };
      end(pipeOutput(client, opened, getCut, onOutput));
    });
    return shell;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/** `onOpened` is called at once with the channel: one that ends in the same moment is heard. */
function requestShell(
  client: Client,
  { columns, rows }: Size,
  getCut: () => Error | undefined,
  onOpened: (channel: ClientChannel) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(getCut() ?? new SshFailure('ssh_failed'));
    client.once('close', fail);
    client.shell({ term: 'xterm-256color', cols: columns, rows }, (error, opened) => {
      if (error) return fail();
      onOpened(opened);
      resolve();
    });
  });
}

function pipeOutput(
  client: Client,
  channel: ClientChannel,
  getCut: () => Error | undefined,
  write: ShellOptions['onOutput'],
): Promise<ShellEnd> {
  return new Promise((resolve, reject) => {
    let end: ShellEnd | undefined;
    const pipe = (source: Readable) => {
      source.on('data', (chunk: Buffer) => {
        if (!write(chunk, () => source.resume())) source.pause();
      });
      // Input that comes as the shell ends fails here; the end itself is told by 'close'.
      source.on('error', () => {});
    };
    pipe(channel);
    pipe(channel.stderr);
    channel.on('exit', (code: number | null, signal?: string) => {
      end = {
        exitCode: code,
        signal: signal === undefined ? null : makeInert(signal.slice(0, 50), '\ufffd'),
      };
    });
    const fail = () => reject(getCut() ?? new SshFailure('ssh_failed'));
    channel.on('close', () => {
      client.end();
      if (end) resolve(end);
      else fail();
    });
    // After a regular end the last output may still wait for a slow reader.
    client.on('close', () => {
      if (!end) fail();
    });
  });
}
