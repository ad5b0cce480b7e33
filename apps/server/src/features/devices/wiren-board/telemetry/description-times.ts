import type { Clock } from '../../../../platform/clock.ts';
import type { Enrolment } from '../../enrolments.repository.ts';

/** Titles and types are most of what a broker retains, and change seldom: while nobody looks, they are read so often. */
const EVERY_MS = 24 * 3600_000;
/** Of more controllers than one server has. */
const MAX_KEPT = 50_000;

/** When the descriptions of one controller's controls were read last. */
export interface DescriptionTimes {
  isDue(): boolean;
  noteRead(): void;
}

/** By controller and claim: another organization knows nothing of them. A line that breaks often does not carry them again each time. */
export function createDescriptionTimes(
  clock: Clock,
): (enrolment: Pick<Enrolment, 'id' | 'token_epoch'>) => DescriptionTimes {
  const readAt = new Map<string, number>();
  return ({ id, token_epoch: claim }) => {
    const key = `${id} ${claim}`;
    const now = () => clock.now().getTime();
    return {
      isDue: () => now() - (readAt.get(key) ?? Number.NEGATIVE_INFINITY) >= EVERY_MS,
      noteRead() {
        if (readAt.size >= MAX_KEPT) readAt.clear();
        readAt.set(key, now());
      },
    };
  };
}
