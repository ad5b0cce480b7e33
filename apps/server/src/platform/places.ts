/** How many of something each one (a user, an address) has at once. */
export interface Places {
  /** Takes one more; the answer gives it back, once. Undefined when there is none left. */
  take(name: string): (() => void) | undefined;
}

export function createPlaces(limit: number): Places {
  const taken = new Map<string, number>();
  return {
    take(name) {
      const count = taken.get(name) ?? 0;
      if (count >= limit) return undefined;
      taken.set(name, count + 1);
      let isBack = false;
      return () => {
        if (isBack) return;
        isBack = true;
        const left = (taken.get(name) ?? 1) - 1;
        if (left === 0) taken.delete(name);
        else taken.set(name, left);
      };
    },
  };
}
