/** How many of something each user has at once. */
export interface Places {
  /** Takes one more; the answer gives it back, once. Undefined when there is none left. */
  take(userId: string): (() => void) | undefined;
}

export function createPlaces(limit: number): Places {
  const taken = new Map<string, number>();
  return {
    take(userId) {
      const count = taken.get(userId) ?? 0;
      if (count >= limit) return undefined;
      taken.set(userId, count + 1);
      let isBack = false;
      return () => {
        if (isBack) return;
        isBack = true;
        const left = (taken.get(userId) ?? 1) - 1;
        if (left === 0) taken.delete(userId);
        else taken.set(userId, left);
      };
    },
  };
}
