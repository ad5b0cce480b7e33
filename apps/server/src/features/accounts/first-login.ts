import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '@pult/files';
import type { Core } from '../../platform/core.ts';
import { createRevalidator } from '../../platform/revalidator.ts';
import type { AccountsRepository } from './accounts.repository.ts';
import { verifyPassword } from './password.ts';

/** By which the first administrator logs in for the first time. */
export interface FirstLogin {
  email: string;
  password: string;
}

/** Where the node that made the first administrator keeps the generated password; `npm start` knows it too. */
export const firstLoginPath = (dataDir: string) => join(dataDir, 'first-login');

/** Milliseconds. */
export interface FirstLoginTiming {
  /** How soon a login at another node, or a password of a command, is noticed. */
  firstLoginMs?: number;
}

/** Undefined where there is no file, or one that tells no login. */
export async function readFirstLogin(dataDir: string): Promise<FirstLogin | undefined> {
  const text = await readFile(firstLoginPath(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (text === undefined) return undefined;
  const [, email, password] = /^Email: (.+)\nPassword: (.+)\n$/.exec(text) ?? [];
  return email && password ? { email, password } : undefined;
}

/** The file, from the account's beginning to its first login, at whichever node that is, or to another password. */
export function createFirstLoginFile(
  { events, log, config }: Core,
  {
    repository,
    intervalMs = 5_000,
  }: {
    repository: Pick<AccountsRepository, 'getHashBeforeFirstLogin'>;
    intervalMs?: number | undefined;
  },
) {
  const dataDir = config.data.dir;
  const path = firstLoginPath(dataDir);
  /** Of the password in the file, once it was compared. */
  let knownHash: string | undefined;
  let mayBeThere = false;

  const remove = () => rm(path, { force: true });

  async function isGood({ email, password }: FirstLogin): Promise<boolean> {
    const hash = await repository.getHashBeforeFirstLogin(email);
    if (hash === undefined) return false;
    if (hash !== knownHash && !(await verifyPassword(hash, password))) return false;
    knownHash = hash;
    return true;
  }

  async function look(): Promise<void> {
    const login = await readFirstLogin(dataDir);
    if (login && (await isGood(login))) return;
    await remove();
    mayBeThere = false;
    watch.stop();
    if (login) log.info({ path }, 'the first login is over, and its file removed');
  }

  const onFailure = (error: unknown) => log.error({ err: error, path }, 'the file of the first login stays');
  const watch = createRevalidator({ revalidate: look, events, intervalMs, onFailure });

  return {
    path,
    remove,

    /** In place of what another database's first administrator may have left. */
    async write({ email, password }: FirstLogin): Promise<void> {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await writeDurably(path, `Email: ${email}\nPassword: ${password}\n`);
      mayBeThere = true;
    },

    /** Removes it where it is of no more use. Never rejects: a login does not fail for it. */
    check: async (): Promise<void> => (mayBeThere ? watch.check().catch(onFailure) : undefined),

    async start(): Promise<void> {
      mayBeThere = true;
      watch.start();
      await watch.check().catch(onFailure);
    },

    stop: () => watch.stop(),
  };
}
export type FirstLoginFile = ReturnType<typeof createFirstLoginFile>;
