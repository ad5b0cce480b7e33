import { useEffect, useState } from 'react';
import { type AttemptFailure, readAttemptFailure } from './attempt-failure.ts';

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

/** Whole seconds until a moment, counting down; 0 when it is past or there is none. */
function useSecondsUntil(moment: number | undefined): number {
  const read = () => (moment === undefined ? 0 : Math.max(0, Math.ceil((moment - Date.now()) / 1000)));
  const [, setTick] = useState(0);
  const seconds = read();
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => setTick((tick) => tick + 1), 250);
    return () => clearTimeout(timer);
  });
  return seconds;
}
