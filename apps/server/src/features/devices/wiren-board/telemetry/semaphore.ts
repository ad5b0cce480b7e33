export type Acquire = (signal: AbortSignal) => Promise<() => void>;

/** Lets so many in at a time, in the order in which they asked; the answer releases. Who leaves meanwhile holds nothing. */
export function createSemaphore(limit: number): Acquire {
  let taken = 0;
  const waiting = new Set<() => void>();

  function end(): void {
    taken -= 1;
    const [next] = waiting;
    next?.();
  }

  return (signal) =>
    new Promise((resolve) => {
      const begin = () => {
        waiting.delete(begin);
        signal.removeEventListener('abort', leave);
        taken += 1;
        resolve(end);
      };
      const leave = () => {
        waiting.delete(begin);
        resolve(() => {});
      };
      if (signal.aborted) leave();
      else if (taken < limit) begin();
      else {
        waiting.add(begin);
        signal.addEventListener('abort', leave, { once: true });
      }
    });
}
