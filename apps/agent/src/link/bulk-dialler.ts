/** After a second connection that failed, twice as long after each further one, and never longer. */
const pauses = {
  bulk: { firstMs: 30_000, lastMs: 600_000 },
  urgent: { firstMs: 5_000, lastMs: 60_000 },
};

interface BulkDiallerOptions {
  /** Makes the connection part of the link. */
  connect(): Promise<void>;
  print(line: string): void;
}

export interface BulkDialler {
  /** For bulk, or because the first one may be dead. True while one is dialled, for whatever. */
  dial(isUrgent: boolean): boolean;
}

/** Dials the second connection of a link, one at a time, however often it is asked to. */
export function createBulkDialler({ connect, print }: BulkDiallerOptions): BulkDialler {
  let isDialling = false;
  const next = {
    bulk: { notBefore: Number.NEGATIVE_INFINITY, pauseMs: pauses.bulk.firstMs },
    urgent: { notBefore: Number.NEGATIVE_INFINITY, pauseMs: pauses.urgent.firstMs },
  };

  async function dial(purpose: keyof typeof pauses): Promise<void> {
    const { firstMs, lastMs } = pauses[purpose];
    const own = next[purpose];
    try {
      await connect();
      own.pauseMs = firstMs;
      // One that has hardly come and is silent too shall not be followed by many.
      if (purpose === 'urgent') own.notBefore = performance.now() + firstMs;
      else print('link: a second connection carries what is large');
    } catch (error) {
      own.notBefore = performance.now() + own.pauseMs;
      own.pauseMs = Math.min(2 * own.pauseMs, lastMs);
      print(`link: no second connection (${(error as Error).message})`);
    }
  }

  return {
    dial(isUrgent) {
      if (isDialling) return true;
      const purpose = isUrgent ? 'urgent' : 'bulk';
      if (performance.now() < next[purpose].notBefore) return false;
      if (isUrgent) print('link: the connection does not answer, another one is tried beside it');
      isDialling = true;
      void dial(purpose).finally(() => {
        isDialling = false;
      });
      return true;
    },
  };
}
