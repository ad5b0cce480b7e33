/** After a second connection that failed, twice as long after each further one, and never longer. */
const PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 600_000;

interface BulkDiallerOptions {
  /** Makes the connection part of the link. */
  connect(): Promise<void>;
  print(line: string): void;
}

/** Dials the second connection of a link, one at a time, however often it is asked to. */
export function createBulkDialler({ connect, print }: BulkDiallerOptions): { dial(): void } {
  let isDialling = false;
  let notBefore = Number.NEGATIVE_INFINITY;
  let pauseMs = PAUSE_MS;

  async function dial(): Promise<void> {
    try {
      await connect();
      pauseMs = PAUSE_MS;
      print('link: a second connection carries what is large');
    } catch (error) {
      notBefore = performance.now() + pauseMs;
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
      print(`link: no second connection (${(error as Error).message})`);
    }
  }

  return {
    dial() {
      if (isDialling || performance.now() < notBefore) return;
      isDialling = true;
      void dial().finally(() => {
        isDialling = false;
      });
    },
  };
}
