import type { Events, EventTopics } from './events/events.ts';

/** Looks again and again whether what is open may still be, so that it does not outlive the access it rests on. */
export interface Revalidator {
  /** Resolves after a look that began no earlier than this; rejects with what the look has thrown. */
  check(): Promise<void>;
  start(): void;
  stop(): void;
}

/**
 * Looks at every end of access that `concerns` it, and every `intervalMs` milliseconds for what no event tells (an
 * expiry, another server). One look at a time, however many ask and however slow the database.
 */
export function createRevalidator({
  revalidate,
  events,
  concerns = () => true,
  intervalMs,
  onFailure,
}: {
  /** One look, which cuts what may be open no longer. */
  revalidate: () => Promise<void>;
  events: Events;
  concerns?: (ended: EventTopics['accessEnded']) => boolean;
  intervalMs: number;
  /** Told of a look that nobody waits for. */
  onFailure: (error: unknown) => void;
}): Revalidator {
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};
  let running: Promise<void> | undefined;
  let isStale = false;

  async function lookUntilFresh(): Promise<void> {
    try {
      while (isStale) {
        isStale = false;
        await revalidate();
      }
    } finally {
      running = undefined;
    }
  }

  const revalidator: Revalidator = {
    check() {
      // Whoever asks during a look gets a fresh one after it.
      isStale = true;
      running ??= lookUntilFresh();
      return running;
    },
    start() {
      const look = () => void revalidator.check().catch(onFailure);
      timer = setInterval(look, intervalMs);
      timer.unref();
      const endings = [
        events.subscribe('accessEnded', (ended) => {
          if (concerns(ended)) look();
        }),
        events.subscribe('eventsMissed', look),
      ];
      unsubscribe = () => {
        for (const end of endings) end();
      };
    },
    stop() {
      clearInterval(timer);
      unsubscribe();
    },
  };
  return revalidator;
}
