import { useEffect, useRef, useState } from 'react';

/**
 * Seconds left until `onEnd`, counted from each change of `run`; undefined while not running. Counts by the
 * clock, so that a tab that slept is not late.
 */
export function useCountdown(
  seconds: number,
  run: string | number | undefined,
  onEnd: () => void,
): number | undefined {
  const [left, setLeft] = useState<number>();
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (run === undefined) return setLeft(undefined);
    const due = Date.now() + seconds * 1000;
    setLeft(seconds);
    const timer = setInterval(() => {
      const remaining = Math.max(0, Math.ceil((due - Date.now()) / 1000));
      setLeft(remaining);
      if (remaining > 0) return;
      clearInterval(timer);
      end.current();
    }, 250);
    return () => clearInterval(timer);
  }, [run, seconds]);
  return left;
}
