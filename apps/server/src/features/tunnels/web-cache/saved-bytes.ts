import type { Logger } from '../../../platform/log.ts';
import type { WebCacheRepository } from './web-cache.repository.ts';

/** Counts, by controller, what its line did not have to carry; written down once a minute. */
export interface SavedBytes {
  count(controllerId: string, bytes: number): void;
  /** What is counted and not written yet. */
  unwritten(controllerId: string): number;
  /** Resolves once everything known so far is written. */
  flush(): Promise<void>;
  start(): void;
  /** Flushes for the last time. */
  stop(): Promise<void>;
}

/** At most; what a crash may lose. */
const flushIntervalMs = 60_000;

export function createSavedBytes({
  repository,
  log,
}: {
  repository: Pick<WebCacheRepository, 'addSaved'>;
  log: Logger;
}): SavedBytes {
  let counted = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const count = (controllerId: string, bytes: number) => {
    counted.set(controllerId, (counted.get(controllerId) ?? 0) + bytes);
  };

  async function write(): Promise<void> {
    if (counted.size === 0) return;
    const taken = counted;
    counted = new Map();
    try {
      await repository.addSaved(taken);
    } catch (error) {
      // Tried again with what is counted meanwhile.
      for (const [controllerId, bytes] of taken) count(controllerId, bytes);
      throw error;
    }
  }

  const saved: SavedBytes = {
    count,
    unwritten: (controllerId) => counted.get(controllerId) ?? 0,
    flush() {
      writing = writing.then(write, write);
      return writing;
    },
    start() {
      timer = setInterval(() => {
        saved.flush().catch((error: Error) => log.error({ err: error }, 'saved bytes not written down'));
      }, flushIntervalMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await saved.flush().catch((error: Error) => log.error({ err: error }, 'saved bytes not written down'));
    },
  };
  return saved;
}
