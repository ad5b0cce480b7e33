import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import type { Feature } from '../feature.ts';

export interface Health extends Feature {
  /**
   * Is not ready from now on. Resolves when a balancer that asks has noticed, and at once where none does: over a connection that is
   * closed at the moment at which it sends a request, a change would be lost to whoever asked for it.
   */
  leave(): Promise<void>;
}

/** Who has not asked for so long is no balancer. */
const watchedMs = 10_000;
/** One that asks each 2 s and wants to be told twice, as our examples do. */
const noticedMs = 5_000;

/**
 * Liveness and readiness for supervisors: short answers without a login. Ready is who listens on all ports and can ask the database,
 * and of several nodes who hears the others.
 */
export function createHealth({ db }: { db: Database }, isCutOff: () => boolean): Health {
  const isReady = () =>
    sql`select 1`.execute(db).then(
      () => !isCutOff(),
      () => false,
    );
  let isListening = false;
  let isLeaving = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'health',
    routes({ app }) {
      app.get('/healthz', async (_, reply) =>
        reply.header('cache-control', 'no-store').send({ status: 'ok' }),
      );
      app.get('/readyz', async (_, reply) => {
        askedAt = performance.now();
        const ready = isListening && !isLeaving && (await isReady());
        return reply
          .header('cache-control', 'no-store')
          .status(ready ? 200 : 503)
          .send({ status: ready ? 'ready' : 'unavailable' });
      });
    },
    // Features listen in their order, and the API's port before all of them: this one is the last.
    async listen() {
      isListening = true;
    },
    async leave() {
      isLeaving = true;
      if (performance.now() - askedAt < watchedMs) await delay(noticedMs);
    },
  };
}
