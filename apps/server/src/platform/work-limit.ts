import { DomainError } from './errors.ts';

/** Does a piece of work as soon as there is room for it; throws `service_unavailable` when too many wait already. */
export type WorkLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `parallel` at once, the others in the order in which they came, at most `waiting` of them. */
export function createWorkLimit({ parallel, waiting }: { parallel: number; waiting: number }): WorkLimit {
  const queue: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < parallel) running += 1;
    else {
      if (queue.length >= waiting) throw new DomainError('service_unavailable');
      // Whoever ends hands its place on.
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
