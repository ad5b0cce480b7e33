import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findOut, type ProcessIdentity, readOwnIdentity } from './process-identity.ts';

/** Held until released or until the process ends, however it ends. */
export interface Lock {
  /** Gives the lock back. A second call does nothing. */
  release(): Promise<void>;
}

/** Another process holds the lock. */
export class LockedError extends Error {
  override readonly name = 'LockedError';
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(
      `Another server (process ${pid}) already works with the folder ${folder}. ` +
        'Stop it first, or give this one a folder of its own with DATA_DIR.',
    );
    this.pid = pid;
  }
}

interface Claim {
  /** Absent once released. */
  readonly owner?: ProcessIdentity;
}

const heartbeatMs = 2_000;
const heartbeatLostMs = 3 * heartbeatMs;
const claimsKept = 8;
const draftAgeMs = 60_000;

/**
 * Takes the lock `path`, a folder made here (its parent must exist); throws LockedError when another process has it.
 *
 * The folder holds numbered claims and the highest number is the lock. A claim is made whole or not at all, by link(2),
 * which fails when the number is taken. Whoever finds the highest claim released or its owner dead tries the next
 * number; of several, one succeeds. The highest claim is never removed, only followed, so a slow process that worked on
 * an outdated view finds a number above its own after its link and steps back. A few claims before the highest stay as
 * well, because a directory read while names come and go may miss a new one.
 */
export async function acquireLock(path: string): Promise<Lock> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const owner = await readOwnIdentity();
  for (;;) {
    const highest = await findHighest(path);
    if (highest > 0) await assertFree(path, highest);
    const mine = highest + 1;
    if (!(await tryClaim(path, mine, { owner }))) continue;
    if ((await findHighest(path)) !== mine) {
      await rm(join(path, String(mine)), { force: true });
      continue;
    }
    await removeOld(path, mine);
    return hold(path, mine);
  }
}

/** The process that holds the lock now; undefined where none does. Takes nothing. */
export async function findLockOwner(path: string): Promise<ProcessIdentity | undefined> {
  const highest = await findHighest(path).catch(() => 0);
  const { owner } = highest > 0 ? await readClaim(path, highest) : {};
  return owner && (await findOut(owner)) === 'alive' ? owner : undefined;
}

async function findHighest(path: string): Promise<number> {
  const numbers = (await readdir(path)).filter((name) => /^\d+$/.test(name)).map(Number);
  return Math.max(0, ...numbers);
}

async function assertFree(path: string, number: number): Promise<void> {
  const { owner } = await readClaim(path, number);
  if (owner === undefined) return;
  const state = await findOut(owner);
  const alive = state === 'elsewhere' ? await hasHeartbeat(path, number) : state === 'alive';
  if (alive) throw new LockedError(dirname(path), owner.pid);
}

async function readClaim(path: string, number: number): Promise<Claim> {
  try {
    return JSON.parse(await readFile(join(path, String(number)), 'utf8')) as Claim;
  } catch {
    // Gone: a higher one has followed, and the link or the look after it will tell. Unreadable: link(2) shows only
    // whole claims, so the machine lost power since.
    return {};
  }
}

async function tryClaim(path: string, number: number, claim: Claim): Promise<boolean> {
  const draft = await writeDraft(path, claim);
  try {
    await link(draft, join(path, String(number)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(path: string, claim: Claim): Promise<string> {
  const draft = join(path, `draft-${randomBytes(8).toString('hex')}`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(claim));
    await handle.sync();
  } finally {
    await handle.close();
  }
  return draft;
}

async function removeOld(path: string, mine: number): Promise<void> {
  for (const name of await readdir(path)) {
    const file = join(path, name);
    if (/^\d+$/.test(name)) {
      if (Number(name) <= mine - claimsKept) await rm(file, { force: true });
    } else if (await isAbandoned(file)) await rm(file, { force: true });
  }
}

/** A draft lives for milliseconds; an old one belonged to a process that was killed. */
async function isAbandoned(draft: string): Promise<boolean> {
  const found = await stat(draft).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > draftAgeMs;
}

function hold(path: string, number: number): Lock {
  const file = join(path, String(number));
  const heartbeat = setInterval(() => {
    const now = new Date();
    // A missed beat is made up for by the next; a folder that was deleted needs no lock.
    utimes(file, now, now).catch(() => {});
  }, heartbeatMs);
  heartbeat.unref();
  let released: Promise<void> | undefined;
  const release = async () => {
    clearInterval(heartbeat);
    await rename(await writeDraft(path, {}), file);
  };
  return {
    release: () => {
      released ??= release();
      return released;
    },
  };
}

/** Whether the owner of a claim, invisible from here, keeps touching it. Answers as soon as it does. */
async function hasHeartbeat(path: string, number: number): Promise<boolean> {
  const file = join(path, String(number));
  const readTime = async () => (await stat(file).catch(() => undefined))?.mtimeMs;
  const seen = await readTime();
  // Compared with the same file system's clock, which need not be ours.
  const draft = await writeDraft(path, {});
  const now = (await stat(draft)).mtimeMs;
  await rm(draft);
  if (seen === undefined || now - seen > heartbeatLostMs) return false;
  for (let waited = 0; waited < heartbeatLostMs; waited += 250) {
    await wait(250);
    const time = await readTime();
    if (time !== undefined && time !== seen) return true;
  }
  return false;
}
