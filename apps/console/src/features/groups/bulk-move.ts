import type { Filters } from '../../shared/api/query-keys.ts';

/** Controllers by their serial numbers, or all that match the filters of the list, however many that are. */
export type Chosen = { controllers: string[] } | { filter: Filters };

/** Where controllers go: into a group, or out of all. */
export type MoveTarget = { id: string; name: string } | null;

export interface BulkMove {
  target: MoveTarget;
  chosen: Chosen;
  /** How many they are, as far as is known here; the server's answer is what counts. */
  count: number;
}

/** Above so many, what one press or drop would do is asked for again. */
export const askedFrom = 100;
