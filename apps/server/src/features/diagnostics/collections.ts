import type { DiagnosticStatus } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import type { DiskGuard } from '../../platform/disk-guard.ts';
import type { LocalLinks } from '../devices/index.ts';
import type { ArchiveStore } from './archives/index.ts';
import type { Collection, CollectionsRepository } from './collections.repository.ts';
import { CollectionFailure, toCollectionFailure } from './failure.ts';
import { type ArchiveTiming, receiveArchive } from './receive-archive.ts';

export interface CollectionLimits {
  maxBytes: number;
  /** Of an organization; Infinity for none. */
  quotaBytes: number;
}

/** Milliseconds. */
export interface CollectionTiming extends ArchiveTiming {
  /** From one word of the progress to the next. */
  progressMs: number;
}

export const defaultTiming: CollectionTiming = {
  // A collector of the board's own may take its five minutes before it has an archive.
  firstByteMs: 6 * 60_000,
  idleMs: 60_000,
  totalMs: 30 * 60_000,
  progressMs: 2000,
};

/** So many at once: a fleet that comes back with a request each must not fill the line and the disk together. */
const collectionsAtOnce = 8;
/** With those whose archives are collected somewhere else and come minutes later: until then they cost a row that is renewed. */
const waitingAtOnce = 200;
/** Of either, what one organization may have: its devices may send for half an hour what never comes to an end. */
const shareOfOne = 0.5;
/** A server that has said nothing of a collection for so long is gone. */
const leaseMs = 60_000;
const renewAfterMs = 20_000;
/** How long newly linked devices wait for others to be looked at with. */
const batchWindowMs = 50;

interface Dependencies {
  repository: CollectionsRepository;
  links: LocalLinks;
  store: ArchiveStore;
  limits: CollectionLimits;
  timing: CollectionTiming;
  /** Of the disk that archives are kept on; undefined where they go elsewhere. */
  diskGuard: Pick<DiskGuard, 'room' | 'onChange'> | undefined;
  /** What else is to be done when one has ended. */
  onEnd(collection: Collection): Promise<void>;
}

interface Running {
  collection: Collection;
  abort: AbortController;
  done: Promise<void>;
  /** Nothing of the archive is on the line yet, nor will it be soon. */
  isWaiting: boolean;
}

/** Fetches the archives of those diagnostics whose controllers are linked to this server. */
export function createCollections({ clock, events, log }: Core, dependencies: Dependencies) {
  const { repository, links, store, limits, timing, diskGuard, onEnd } = dependencies;
  /** Devices that are linked, and may be waited for. */
  const due = new Set<string>();
  const running = new Map<string, Running>();
  let isLooking = false;
  let isStopped = false;

  function announce(collection: Collection, status: DiagnosticStatus, progress: number): void {
    const { id, organizationId, serialNumber } = collection;
    const event = { type: 'diagnostic.status', serialNumber, id, status, progress } as const;
    events.publish('organization', { organizationId, event });
  }

  const leaseUntil = () => new Date(clock.now().getTime() + leaseMs);

  /** Writes down now and then how far it is, and that somebody is at it. */
  function keepLease(collection: Collection, abort: AbortController) {
    let bytes = 0;
    let written = 0;
    let writtenAt = performance.now();
    let isWriting = false;
    const write = async () => {
      const isDue = performance.now() - writtenAt > renewAfterMs;
      if (isWriting || (bytes === written && !isDue)) return;
      isWriting = true;
      // More may come while this is written, and is then still to be told.
      const told = bytes;
      try {
        if (!(await repository.renew(collection.id, told, leaseUntil()))) {
          abort.abort(new CollectionFailure('server_stopped'));
        } else if (!abort.signal.aborted) {
          [written, writtenAt] = [told, performance.now()];
          announce(collection, 'collecting', told);
        }
      } catch (error) {
        // The lease runs out by itself when this goes on.
        log.warn({ id: collection.id, err: error }, 'progress of diagnostics not written');
      }
      isWriting = false;
    };
    const timer = setInterval(() => void write(), timing.progressMs);
    return {
      onProgress(count: number) {
        bytes = count;
      },
      getBytes: () => bytes,
      stop: () => clearInterval(timer),
    };
  }

  /** Throws what it fails by. */
  async function receive(collection: Collection, signal: AbortSignal, onProgress: (bytes: number) => void) {
    const link = links.get(collection.enrolmentId);
    if (!link) throw new CollectionFailure('link_lost');
    const left = limits.quotaBytes - (await repository.getBytes(collection.organizationId));
    if (left <= 0) throw new CollectionFailure('quota_reached');
    if (!link.openDiagnostics) throw new CollectionFailure('not_supported');
    const answer = await link.openDiagnostics({ signal });
    const own = running.get(collection.id);
    if (own) own.isWaiting = false;
    const { maxBytes, quotaBytes } = limits;
    const options = { store, name: collection.id, maxBytes, quotaBytes: left, timing, signal, onProgress };
    const archive = await receiveArchive(answer, options);
    const outcome = await repository.finish(collection, archive, { now: clock.now(), quotaBytes });
    if (outcome === 'ready') return archive.size;
    throw new CollectionFailure(outcome === 'gone' ? 'server_stopped' : outcome);
  }

  async function collect(collection: Collection, abort: AbortController): Promise<void> {
    const { id, serialNumber } = collection;
    if (!(await repository.claim(id, leaseUntil()))) return;
    announce(collection, 'collecting', 0);
    const lease = keepLease(collection, abort);
    try {
      const size = await receive(collection, abort.signal, lease.onProgress);
      lease.stop();
      announce(collection, 'ready', size);
      log.info({ serialNumber, id, size }, 'diagnostics ready');
    } catch (error) {
      lease.stop();
      const failure = toCollectionFailure(error) ?? new CollectionFailure('storage_failed');
      log.warn({ serialNumber, id, reason: failure.reason, err: error }, 'diagnostics failed');
      // Nothing is kept of what may have been whole, but is not wanted any more.
      await store.remove(id).catch((reason: Error) => log.error({ id, err: reason }, 'archive left'));
      if (await repository.fail(id, failure, clock.now())) announce(collection, 'failed', lease.getBytes());
    }
    await onEnd(collection);
  }

  /** For another one, of that organization. */
  function hasRoom(organizationId?: string): boolean {
    if (diskGuard && diskGuard.room !== 'enough') return false;
    const all = [...running.values()];
    const own = all.filter(({ collection }) => collection.organizationId === organizationId);
    const busy = (list: readonly Running[]) => list.filter(({ isWaiting }) => !isWaiting).length;
    return (
      busy(all) < collectionsAtOnce &&
      all.length < waitingAtOnce &&
      busy(own) < collectionsAtOnce * shareOfOne &&
      own.length < waitingAtOnce * shareOfOne
    );
  }

  function start(collection: Collection): void {
    const abort = new AbortController();
    const done = collect(collection, abort)
      .catch((error: Error) => log.error({ id: collection.id, err: error }, 'diagnostics broken off'))
      .then(() => {
        running.delete(collection.id);
        void look();
      });
    const isWaiting = links.get(collection.enrolmentId)?.sendsDiagnosticsLater === true;
    running.set(collection.id, { collection, abort, done, isWaiting });
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const left: string[] = [];
    while (due.size > 0 && hasRoom() && !isStopped) {
      const ids = [...due];
      due.clear();
      const waiting = await repository.listWaiting(ids).catch((error: Error) => {
        // The next tending looks again.
        log.warn({ err: error }, 'waiting diagnostics not read');
        return [];
      });
      for (const each of waiting) {
        if (isStopped || !links.get(each.enrolmentId) || running.has(each.id)) continue;
        if (hasRoom(each.organizationId)) start(each);
        else left.push(each.enrolmentId);
      }
    }
    for (const enrolmentId of left) due.add(enrolmentId);
    isLooking = false;
  }

  const consider = (enrolmentIds: readonly string[]) => {
    for (const id of enrolmentIds) if (links.get(id)) due.add(id);
    void look();
  };
  // Of many that come back together in one look.
  let isBatching = false;
  links.onChange((enrolmentId) => {
    if (!links.get(enrolmentId)) return;
    due.add(enrolmentId);
    if (isBatching) return;
    isBatching = true;
    setTimeout(() => {
      isBatching = false;
      void look();
    }, batchWindowMs).unref();
  });

  const unwatch = diskGuard?.onChange((room) => {
    if (room === 'enough') return void look();
    for (const { abort } of running.values()) abort.abort(new CollectionFailure('disk_full'));
  });

  return {
    /** Begins what waits for one of these devices, where it is linked. */
    consider,
    announce,
    /** Ends those of a controller that is gone. */
    abortOf(controllerId: string): void {
      for (const { collection, abort } of running.values()) {
        if (collection.controllerId === controllerId) abort.abort(new CollectionFailure('server_stopped'));
      }
    },
    /** Ends all; resolves when each is written down as failed. */
    async stop(): Promise<void> {
      isStopped = true;
      unwatch?.();
      const ends = [...running.values()].map(({ abort, done }) => {
        abort.abort(new CollectionFailure('server_stopped'));
        return done;
      });
      await Promise.all(ends);
    },
  };
}
export type Collections = ReturnType<typeof createCollections>;
