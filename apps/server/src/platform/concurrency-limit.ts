/** How many of something each one (a user, an address) may have at once. */
export interface ConcurrencyLimit {
  /** Acquires one more; the answer releases it, once. Undefined when there is none left. */
  acquire(name: string): (() => void) | undefined;
}

export function createConcurrencyLimit(limit: number): ConcurrencyLimit {
  const acquired = new Map<string, number>();
  return {
    acquire(name) {
      const count = acquired.get(name) ?? 0;
      if (count >= limit) return undefined;
      acquired.set(name, count + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        const left = (acquired.get(name) ?? 1) - 1;
        if (left === 0) acquired.delete(name);
        else acquired.set(name, left);
      };
    },
  };
}
