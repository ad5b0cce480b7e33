import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '@pult/files';
import type { Logger } from 'pino';
import * as z from 'zod';

/** A key that signs updates and its successor, base64url of 32 bytes each, and that the first one says so. */
export interface KeyRotation {
  from: string;
  to: string;
  signature: string;
}

/** What only this server knows. Made at the first start, kept in DATA_DIR/secrets.json. */
export interface Secrets {
  /** 32 bytes; activation tokens are HMACs under it. */
  readonly activationKey: Buffer;
  /** 32 bytes; encrypts what the database must not show in plain (TOTP seeds, key material). */
  readonly encryptionKey: Buffer;
  /** Ed25519; signs access tokens (EdDSA). */
  readonly jwtPrivateKey: KeyObject;
  /** Ed25519; by it SSH clients recognize the jump host. */
  readonly sshHostKey: KeyObject;
  /** Ed25519; signs updates of agents, which know it from their enrolment. */
  readonly agentUpdateKey: KeyObject;
  /** How each key that signed updates has handed over to the next one, oldest first. */
  readonly agentUpdateRotations: readonly KeyRotation[];
  /** Of the embedded PostgreSQL's only role. */
  readonly databasePassword: string;
}

type StoredSecrets = Record<keyof Secrets, string>;

const makers: { [N in keyof Secrets]: () => string } = {
  activationKey: () => randomBytes(32).toString('base64url'),
  encryptionKey: () => randomBytes(32).toString('base64url'),
  jwtPrivateKey: makeEd25519,
  sshHostKey: makeEd25519,
  agentUpdateKey: makeEd25519,
  agentUpdateRotations: () => '[]',
  databasePassword: () => randomBytes(32).toString('base64url'),
};

const readers: { [N in keyof Secrets]: (value: string) => Secrets[N] } = {
  activationKey: readKey,
  encryptionKey: readKey,
  jwtPrivateKey: readEd25519,
  sshHostKey: readEd25519,
  agentUpdateKey: readEd25519,
  agentUpdateRotations: (value) => rotationsSchema.parse(JSON.parse(value)),
  databasePassword: (value) => {
    if (value.length < 32) throw new Error('is too short');
    return value;
  },
};

const rotationsSchema = z.array(z.object({ from: z.string(), to: z.string(), signature: z.string() }));

function makeEd25519(): string {
  // As bytes at once: see createDeviceKey of the link.
  const { privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return privateKey.toString('base64url');
}

function readEd25519(value: string): KeyObject {
  const key = createPrivateKey({ key: Buffer.from(value, 'base64url'), type: 'pkcs8', format: 'der' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('is not an Ed25519 key');
  return key;
}

function readKey(value: string): Buffer {
  const key = Buffer.from(value, 'base64url');
  if (key.length < 32) throw new Error('is too short');
  return key;
}

/**
 * Reads the secrets, making the file or a missing entry. Throws a plain Error when the file is there but cannot be used:
 * a new key in its place would end every session and make stored data unreadable, so only a person may decide that.
 */
export async function loadSecrets(dataDir: string, log: Pick<Logger, 'warn'>): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Passing through (--x) is allowed: the embedded database's own user must reach its folder.
  await tighten(dataDir, 0o066, log);
  let stored = await readStored(file);
  if (stored === undefined) {
    await writeDurably(file, toText(make({})), { onlyIfAbsent: true });
    stored = (await readStored(file)) ?? {};
  }
  await tighten(file, 0o077, log);
  const complete = make(stored);
  if (Object.keys(complete).length !== Object.keys(stored).length) await writeDurably(file, toText(complete));
  return read(file, complete);
}

/** Reads the secrets of a server that has been started before, and writes nothing. Undefined where there are none. */
export async function readSecrets(dataDir: string): Promise<Secrets | undefined> {
  const file = join(dataDir, 'secrets.json');
  const stored = await readStored(file);
  // In memory only: a backup of an earlier version has none of them, and no command asks for one.
  return stored && read(file, make(stored, ['agentUpdateKey', 'agentUpdateRotations']));
}

/**
 * Changes what signs updates of agents, for the next start of the server; the rest of the file stays as it is. Throws where no server
 * has made a key yet: one that is made here would be no agent's.
 */
export async function changeAgentUpdateKey(dataDir: string, change: ChangeUpdateKey): Promise<void> {
  const file = join(dataDir, 'secrets.json');
  const stored = await readStored(file);
  if (stored?.agentUpdateKey === undefined)
    throw new Error(`No server of this version has been started on ${dataDir} yet. Start it once.`);
  await writeDurably(file, toText(withUpdateKey(file, stored, change)));
}

/** How one key that signs updates hands over to the next. */
export type ChangeUpdateKey = (
  known: Pick<Secrets, 'agentUpdateKey' | 'agentUpdateRotations'>,
  next: KeyObject,
) => KeyRotation;

/** Entries as they are stored, by name; those of later versions too. */
export type StoredEntries = Record<string, unknown>;

/** The entries with another key for updates. `place`: where they are from, for what cannot be read. */
export function withUpdateKey(place: string, stored: StoredEntries, change: ChangeUpdateKey): StoredEntries {
  const complete = make(stored);
  const known = read(place, complete);
  const agentUpdateKey = makeEd25519();
  const rotation = change(known, readEd25519(agentUpdateKey));
  const agentUpdateRotations = JSON.stringify([...known.agentUpdateRotations, rotation]);
  return { ...complete, agentUpdateKey, agentUpdateRotations };
}

/** Adds the entries that are missing. */
export const completeEntries = (stored: StoredEntries): StoredEntries => make(stored);

/** Throws a plain Error that tells none of them. */
export const readEntries = (place: string, stored: StoredEntries): Secrets =>
  read(place, stored as StoredSecrets);

/** As a file holds them; undefined where there is none. */
export const readEntriesFile = (dataDir: string): Promise<StoredEntries | undefined> =>
  readStored(join(dataDir, 'secrets.json'));

/** Of a file that somebody has named for all nodes. It is only read: what one of them adds the others would not have. */
export async function readSharedSecrets(file: string): Promise<Secrets> {
  const stored = await readStored(file);
  if (stored === undefined)
    throw new Error(`SECRETS_FILE names ${file}, which is not there: a copy of secrets.json of one node.`);
  const missing = Object.keys(makers).filter((name) => stored[name] === undefined);
  if (missing.length > 0) {
    throw new Error(
      `SECRETS_FILE ${file} has no ${missing.join(' and no ')}, which this version needs. ` +
        'Start one server with a copy of it as secrets.json in DATA_DIR, which adds what is missing, and give that file to all.',
    );
  }
  return read(file, stored as StoredSecrets);
}

const toText = (entries: StoredEntries) => `${JSON.stringify(entries, null, 2)}\n`;

/** Adds what is missing of those names; entries this version does not know stay. */
function make(
  stored: Partial<Record<string, unknown>>,
  names: readonly string[] = Object.keys(makers),
): StoredSecrets {
  const made = Object.entries(makers).filter(([name]) => names.includes(name) && stored[name] === undefined);
  return { ...stored, ...Object.fromEntries(made.map(([name, maker]) => [name, maker()])) } as StoredSecrets;
}

function read(file: string, stored: StoredSecrets): Secrets {
  const readOne = <N extends keyof Secrets>(name: N): Secrets[N] => {
    try {
      if (typeof stored[name] !== 'string') throw new Error('is not text');
      return readers[name](stored[name]);
    } catch (error) {
      // Only our own words pass: a decoder's message could quote the key.
      const own =
        error instanceof Error && error.message.startsWith('is ') ? error.message : 'cannot be read';
      throw broken(file, `${name} ${own}`);
    }
  };
  return {
    activationKey: readOne('activationKey'),
    encryptionKey: readOne('encryptionKey'),
    jwtPrivateKey: readOne('jwtPrivateKey'),
    sshHostKey: readOne('sshHostKey'),
    agentUpdateKey: readOne('agentUpdateKey'),
    agentUpdateRotations: readOne('agentUpdateRotations'),
    databasePassword: readOne('databasePassword'),
  };
}

async function readStored(file: string): Promise<Record<string, unknown> | undefined> {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw broken(file, `cannot be opened (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said below; the parser's message quotes the content.
  }
  throw broken(file, 'is not a JSON object');
}

function broken(file: string, what: string): Error {
  return new Error(
    `The secrets of this server cannot be used: ${what} (${file}). ` +
      'Restore the file from a backup. It is not made anew, because data encrypted with the old keys would be lost.',
  );
}

async function tighten(path: string, forbidden: number, log: Pick<Logger, 'warn'>): Promise<void> {
  const mode = (await stat(path)).mode & 0o777;
  if ((mode & forbidden) === 0) return;
  await chmod(path, mode & ~forbidden);
  log.warn({ path, mode: mode.toString(8) }, 'others could read this path; its permissions were tightened');
}
