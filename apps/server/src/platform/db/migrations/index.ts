import type { Migration } from 'kysely';
import * as mainJob from './0001-main-job.ts';
import * as people from './0002-people.ts';
import * as fleet from './0003-fleet.ts';

/** In the order of their names. A migration that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-main-job': mainJob,
  '0002-people': people,
  '0003-fleet': fleet,
};
