import type { Duplex } from 'node:stream';
import ssh2, { type Client } from 'ssh2';
import { makeInert } from '../../../platform/inert-text.ts';
import { refuseSmallPacketsOfPeer } from '../../../platform/ssh/small-packets.ts';
import { fingerprintOf } from '../../../platform/ssh-fingerprint.ts';
import { createOffer, listOld, offeredAlgorithms } from './old-algorithms.ts';
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
  /** Pinned just now: this login is the first that succeeded. */
  isNew: boolean;
}

export interface LoginOptions {
  username: string;
  credential: Credential;
  /** The device's pinned host key; undefined before the first login. */
  getHostKey: () => Promise<Buffer | undefined>;
  /** Remembers the host key of a login that succeeded, when it is the first; answers what is pinned then. */
  pinHostKey: (key: Buffer) => Promise<{ pinned: Buffer; isNew: boolean }>;
  /** Without it a device that has old algorithms alone is not logged in to. */
  oldAlgorithms?: {
    /** By whoever logs in. */
    taken: readonly string[];
    /** Those that somebody has taken for this device before. */
    getTaken: () => Promise<readonly string[]>;
    /** Called with those in use once the login has succeeded. */
    onUsed: (names: readonly string[]) => Promise<void>;
  };
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

/** What the device asks may have lines, and nothing else that a text of a device may not. */
const makeLinesInert = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => makeInert(line.replaceAll('\t', ' '), '\ufffd'))
    .join('\n');

function isOpening(connection: Duplex): boolean {
  return 'connecting' in connection && connection.connecting === true;
}

/**
 * Logs in over `connection`, which may still be opened; the client owns it from then on. Nothing secret is sent to a device whose host key is not
 * the pinned one, where there is one, nor by old algorithms that nobody has taken. Rejects with SshFailure, or with what `getCut` knows of a
 * connection that broke.
 */
export async function logIn(
  connection: Duplex,
  options: LoginOptions,
  getCut: () => Error | undefined,
): Promise<{ client: Client; hostKey: HostKey }> {
  const login = readCredential(options.credential);
  const client = new ssh2.Client();
  let presented: Buffer = Buffer.alloc(0);
  let mismatch: SshFailure | undefined;
  const offer = createOffer();
  const taken = new Set(options.oldAlgorithms?.taken);
  let used: string[] = [];

  const compare = (pinned: Buffer) => {
    if (pinned.equals(presented)) return;
    mismatch = new SshFailure('host_key_changed', {
      pinnedFingerprint: fingerprintOf(pinned),
      presentedFingerprint: fingerprintOf(presented),
    });
  };
  const verifyHostKey = (key: Buffer, verify: (valid: boolean) => void) => {
    presented = key;
    Promise.all([options.getHostKey(), options.oldAlgorithms?.getTaken()]).then(
      ([pinned, before = []]) => {
        for (const each of before) taken.add(each);
        if (pinned) compare(pinned);
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
      } else reject(getCut() ?? new SshFailure('ssh_failed', {}, offer.explainError(error)));
      // ssh2 only ends its own side and reads on, with room for the 4 GB that a packet says to have.
      connection.destroy();
    });
    // Known before anything secret is sent, and again with each new exchange of keys.
    client.on('handshake', (negotiated) => {
      const found = listOld(negotiated);
      used = found.map(({ name }) => name);
      const [first] = found.filter(({ name }) => !taken.has(name));
      if (!first) return;
      reject(new SshFailure('ssh_old_algorithms', { algorithms: used }, offer.explain(first.kind)));
      connection.destroy();
    });
    client.on('close', () => reject(mismatch ?? getCut() ?? new SshFailure('ssh_failed')));
    client.on('keyboard-interactive', (title, instructions, _language, prompts, finish) => {
      if (prompts.length === 0) return finish([]);
      const asked = prompts.map(({ prompt, echo }) => ({
        text: makeLinesInert(prompt),
        echo: echo ?? false,
      }));
      const shown = { title: makeLinesInert(title), instructions: makeLinesInert(instructions) };
      options.ask({ ...shown, prompts: asked }, finish);
    });
    client.connect({
      // ssh2 takes any duplex stream; its type only knows Readable.
      sock: connection,
      username: options.username,
      ...login,
      algorithms: offeredAlgorithms,
      debug: offer.note,
      hostVerifier: verifyHostKey,
      // Longer than a link waits for its next connection: that the device is gone is the link's to say.
      keepaliveInterval: 50_000,
      keepaliveCountMax: 3,
      readyTimeout: loginTimeout,
    });
    // ssh2 would wait for that: what it says first goes with the opening.
    if (isOpening(connection)) connection.emit('connect');
    refuseSmallPacketsOfPeer(client, () => connection.destroy());
  });
  try {
    // Only now: who sees the note of a new key is the one who got in, not the one who mistyped a password before.
    const { pinned, isNew } = await options.pinHostKey(presented);
    // Of two first logins at once the other one was first, and met another device.
    compare(pinned);
    if (mismatch) throw mismatch;
    if (used.length > 0) await options.oldAlgorithms?.onUsed(used);
    return { client, hostKey: { fingerprint: fingerprintOf(presented), isNew } };
  } catch (error) {
    client.end();
    throw error;
  }
}
