/** Does the works of one key one after the other, in the order in which they came; those of other keys beside them. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** In this process: for what need not be exact, only orderly. */
export function createTurns(): InTurn {
  const lasts = new Map<string, Promise<unknown>>();

  return async (key, work) => {
    const result = (lasts.get(key) ?? Promise.resolve()).then(work);
    // Whoever is next comes whether or not this one fails.
    const last = result.catch(() => {});
    lasts.set(key, last);
    try {
      return await result;
    } finally {
      if (lasts.get(key) === last) lasts.delete(key);
    }
  };
}
