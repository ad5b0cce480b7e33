import type { DiskSpace } from '@pult/files';
import { DomainError } from './errors.ts';
import type { Feature } from './feature.ts';
import type { Logger } from './log.ts';
import { sample } from './prometheus/metric.ts';

/**
 * `low`: the server leaves what can wait: telemetry, diagnostics, mails, webhooks and backups. `full`: nobody may change anything, and
 * what is there can be read.
 */
export type DiskRoom = 'enough' | 'low' | 'full';

export interface DiskGuard extends Feature {
  readonly room: DiskRoom;
  /** On the disk of the database; undefined where that is not ours, or was not measured yet. */
  readonly availableBytes: number | undefined;
  /** Throws `storage_full` while nobody may change anything. */
  requireRoom(): void;
  /** Tells of each change from one to another. Returns what ends that. */
  onChange(listener: (room: DiskRoom) => void): () => void;
}

/** What the guard asks of a database whose disk is ours. */
export interface DatabaseDisk {
  measureRoom(): Promise<Pick<DiskSpace, 'availableBytes'>>;
  /** PostgreSQL’s `max_wal_size`, in bytes. */
  readMaxWalSize(): Promise<number>;
  /** Makes the reserve for a full disk, unless it is there. */
  keepReserve(): Promise<void>;
}

const megabyte = 2 ** 20;
export const defaultMaxWalSize = 256 * megabyte;
/** Room that there is still above the limit when the server leaves what can wait. */
const lowMargin = 128 * megabyte;
/** Room above a limit at which it ends: the log of the database takes and gives back pieces of 16 MB. */
const returnMargin = 64 * megabyte;

/** Bytes below which nobody may write: the log may grow to twice `max_wal_size` before a checkpoint has ended. */
export const writeLimit = (maxWalSize: number) => Math.max(256 * megabyte, 2 * maxWalSize);

/** How much room that is; `before` tells from which side it is reached. */
export function judgeDatabaseRoom(
  availableBytes: number,
  limit: number,
  before: DiskRoom = 'enough',
): DiskRoom {
  if (availableBytes < limit + (before === 'full' ? returnMargin : 0)) return 'full';
  return availableBytes < limit + lowMargin + (before === 'enough' ? 0 : returnMargin) ? 'low' : 'enough';
}

interface Dependencies {
  /** Undefined where the database is somebody else’s. */
  disk: DatabaseDisk | undefined;
  log: Logger;
  /** From one look to the next, in milliseconds. */
  everyMs?: number | undefined;
}

/** Keeps the database from dying of a full disk: PostgreSQL goes down when its log finds no room. */
export function createDiskGuard({ disk, log, everyMs = 1_000 }: Dependencies): DiskGuard {
  const listeners = new Set<(room: DiskRoom) => void>();
  let room: DiskRoom = 'enough';
  let limit = writeLimit(defaultMaxWalSize);
  let availableBytes: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isReserveRefused = false;
  let isBlind = false;

  function change(next: DiskRoom): void {
    if (next === room) return;
    const figures = { availableBytes, limit };
    if (next === 'full') log.error(figures, 'the disk is full: changes are refused until there is room');
    else if (next === 'low')
      log.warn(figures, 'the disk is nearly full: telemetry, diagnostics, mails, webhooks and backups wait');
    else log.info(figures, 'there is room on the disk again');
    room = next;
    for (const listener of listeners) listener(room);
  }

  async function keepReserve(own: DatabaseDisk): Promise<void> {
    if (room !== 'enough') isReserveRefused = false;
    if (isReserveRefused || (availableBytes ?? 0) < limit + 2 * lowMargin) return;
    // Tried again when there has been no room meanwhile; a folder that may not be written is none tomorrow either.
    isReserveRefused = true;
    // At each look: the disk may have been full between two of them, and the reserve given up.
    await own.keepReserve();
    isReserveRefused = false;
  }

  async function look(own: DatabaseDisk): Promise<void> {
    try {
      ({ availableBytes } = await own.measureRoom());
      change(judgeDatabaseRoom(availableBytes, limit, room));
      await keepReserve(own);
      isBlind = false;
    } catch (error) {
      if (!isBlind) log.warn({ err: error }, 'the disk of the database is not measured');
      isBlind = true;
    }
  }

  return {
    name: 'disk guard',
    get room() {
      return room;
    },
    get availableBytes() {
      return availableBytes;
    },
    requireRoom() {
      if (room === 'full') throw new DomainError('storage_full');
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      if (!disk) return;
      limit = writeLimit(await disk.readMaxWalSize());
      // Told to all that starts behind; the reserve takes its time.
      ({ availableBytes } = await disk.measureRoom());
      change(judgeDatabaseRoom(availableBytes, limit));
      const lookAgain = () => {
        looking ??= look(disk).finally(() => {
          looking = undefined;
        });
      };
      lookAgain();
      timer = setInterval(lookAgain, everyMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await looking;
    },
    metrics: [
      {
        name: 'pult_database_disk_available_bytes',
        help: 'Space that is left for the embedded database and its log',
        type: 'gauge',
        read: () => (availableBytes === undefined ? [] : sample(availableBytes)),
      },
      {
        name: 'pult_database_disk_limit_bytes',
        help: 'Space on the disk of the embedded database below which the server refuses changes',
        type: 'gauge',
        read: () => (disk ? sample(limit) : []),
      },
      {
        name: 'pult_changes_refused',
        help: 'Whether the server refuses changes for want of disk space',
        type: 'gauge',
        read: () => sample(room === 'full' ? 1 : 0),
      },
    ],
  };
}
