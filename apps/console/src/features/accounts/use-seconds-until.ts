import { useEffect, useState } from 'react';

/** Whole seconds until a moment, counting down; 0 when it is past or there is none. */
export function useSecondsUntil(moment: number | undefined): number {
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
