import type { Core } from '../../../platform/core.ts';
import { dayOf, type MetricSamplesRepository } from './metric-samples.repository.ts';
import type { MetricSample, MetricsStore } from './metrics-store.ts';

const day = 24 * 3600_000;

/** Measurements in the server's own database. */
export function createPostgresStore(
  { clock }: Pick<Core, 'clock'>,
  dependencies: {
    repository: MetricSamplesRepository;
    retentionDays: number;
  },
): MetricsStore {
  const { repository, retentionDays } = dependencies;
  /** Days that surely have a partition. */
  const known = new Set<string>();

  const oldest = () => new Date(clock.now().getTime() - retentionDays * day);
  const kept = (samples: readonly MetricSample[]) => {
    const since = oldest();
    return samples.filter(({ at }) => at >= since);
  };

  async function requireDay(wanted: string): Promise<void> {
    if (known.has(wanted)) return;
    await repository.createDay(wanted);
    known.add(wanted);
  }

  return {
    async prepare(samples) {
      // One after another: they lock the same table.
      for (const wanted of new Set(kept(samples).map(({ at }) => dayOf(at)))) await requireDay(wanted);
    },
    write: (transaction, samples) => repository.insertSamples(transaction, kept(samples)),
    query: (query) => repository.queryBuckets(query),
    summarize: (start, stop) => repository.summarize(start, stop),
    queryPart: (query) => repository.queryPart(query),
    listWorst: (query) => repository.listWorst(query),
    measureSpace: () => repository.measureSpace(),
    remove: (controllerIds) => repository.deleteControllers(controllerIds),
    async maintain() {
      const now = clock.now().getTime();
      // Ahead of time, so that midnight is like any other moment.
      for (const ahead of [0, 1]) await requireDay(dayOf(new Date(now + ahead * day)));
      const last = dayOf(oldest());
      for (const old of await repository.listDays()) {
        if (old >= last) continue;
        known.delete(old);
        await repository.dropDay(old);
      }
      // Of days that are over one at a time: it takes the disk a while.
      const today = dayOf(new Date(now));
      const [loose] = (await repository.listLooseDays()).filter((each) => each < today);
      if (loose !== undefined) await repository.packDay(loose);
    },
    start() {
      // Nothing of it runs by itself.
    },
    async stop() {
      // Nor has to be ended.
    },
  };
}
