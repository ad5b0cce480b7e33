/** A mutex for each key. In this process only: for what need not be exact, only orderly. */
export interface KeyedMutex {
  /** Runs the works of one key one after the other, in the order in which they came; those of other keys beside them. */
  runExclusive<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const lasts = new Map<string, Promise<unknown>>();

  return {
    async runExclusive(key, work) {
      const result = (lasts.get(key) ?? Promise.resolve()).then(work);
      // Whoever is next comes whether or not this one fails.
      const last = result.catch(() => {});
      lasts.set(key, last);
      try {
        return await result;
      } finally {
        if (lasts.get(key) === last) lasts.delete(key);
      }
    },
  };
}
