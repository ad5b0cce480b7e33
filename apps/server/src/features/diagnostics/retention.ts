import { lifetimes } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import type { ArchiveStore } from './archives/index.ts';
import type { CollectionsRepository, Ended } from './collections.repository.ts';
import type { Collections } from './collections.ts';

export interface RetentionRules {
  /** Archives kept of each controller. */
  archives: number;
  /** Days. */
  days: number;
}

const day = 24 * 3600 * 1000;
const batch = 100;

/** Ends what nobody ends, and removes what is kept no longer. */
export function createRetention(
  { clock, log }: Core,
  dependencies: {
    repository: CollectionsRepository;
    store: ArchiveStore;
    rules: RetentionRules;
  },
) {
  const { repository, store, rules } = dependencies;

  /** The archives first: while a row is there, so is the way to its archive. */
  async function remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) await store.remove(id);
    await repository.delete(ids);
  }

  async function removeAll(list: () => Promise<string[]>): Promise<void> {
    for (;;) {
      const ids = await list();
      await remove(ids);
      if (ids.length < batch) return;
    }
  }

  const kept = () => ({
    archives: rules.archives,
    since: new Date(clock.now().getTime() - rules.days * day),
  });

  /** Never rejects: a server starts, and goes on, also while its store is away. */
  async function announceFailed(ended: readonly Ended[], announce: Collections['announce']): Promise<void> {
    for (const { id, organizationId, serialNumber } of ended) {
      if (organizationId === null || serialNumber === null) continue;
      announce({ id, organizationId, serialNumber, controllerId: '', enrolmentId: '' }, 'failed', 0);
    }
    // Their server may have got as far as to keep all of it. What stays goes with its row, once that is outdated.
    const removals = ended.map(({ id }) =>
      store.remove(id).catch((error: Error) => log.error({ id, err: error }, 'archive left')),
    );
    await Promise.all(removals);
  }

  return {
    removeOrphans: () => removeAll(() => repository.listOrphans(batch)),

    removeOutdated: () => removeAll(() => repository.listOutdated(kept(), { limit: batch })),

    removeOutdatedOf: (controllerId: string) =>
      removeAll(() => repository.listOutdated(kept(), { controllerId, limit: batch })),

    /** Where whoever was at it is gone. */
    async endInterrupted(announce: Collections['announce']): Promise<void> {
      await announceFailed(await repository.failCollecting(clock.now()), announce);
    },

    /** Ends what has waited too long, and what a server has left. */
    async endOverdue(announce: Collections['announce']): Promise<void> {
      const now = clock.now();
      const before = new Date(now.getTime() - lifetimes.diagnosticRequest * 1000);
      await announceFailed(await repository.failExpired(before, now), announce);
      await announceFailed(await repository.failAbandoned(now), announce);
    },
  };
}
