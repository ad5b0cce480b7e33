import { type AttemptFailure, readAttemptFailure } from './attempt-failure.ts';
import { useSecondsUntil } from './use-seconds-until.ts';

interface Attempt {
  error: Error | null;
  /** Milliseconds. */
  submittedAt: number;
}

interface AttemptState {
  failure: AttemptFailure | undefined;
  /** Until the server counts the next try; counts down. */
  secondsLeft: number;
}

/** How the last try of a mutation failed. */
export function useAttempt({ error, submittedAt }: Attempt): AttemptState {
  const failure = error ? readAttemptFailure(error, submittedAt) : undefined;
  const secondsLeft = useSecondsUntil(failure?.kind === 'throttled' ? failure.until : undefined);
  const isOver = failure?.kind === 'throttled' && secondsLeft === 0;
  return { failure: isOver ? undefined : failure, secondsLeft };
}
