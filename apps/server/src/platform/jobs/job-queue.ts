import type { Core } from '../core.ts';
import type { Feature } from '../feature.ts';
import { samplesBy } from '../prometheus/metric.ts';
import { createJobsRepository, jobStates } from './jobs.repository.ts';

/** What the queue holds, and what nodes have left in it that are gone. */
export function createJobQueue({ db, node }: Pick<Core, 'db' | 'node'>): Feature {
  const jobs = createJobsRepository(db);
  return {
    name: 'jobs',
    recoverFromCrash: () => jobs.unlockLeft(node),
    metrics: [
      {
        name: 'pult_jobs',
        help: 'Jobs in the queue by state: waiting for their time, due, running, and failed for good',
        type: 'gauge',
        labels: ['state'],
        async read() {
          const counts = await jobs.countByState();
          return samplesBy(
            'state',
            jobStates.map((state) => [state, counts.get(state) ?? 0] as const),
          );
        },
      },
    ],
  };
}
