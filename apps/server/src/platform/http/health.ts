import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import type { Feature } from '../feature.ts';

/**
 * Liveness and readiness for supervisors: short answers without a login. Ready is who listens on all ports and can ask the database,
 * and of several nodes who hears the others.
 */
export function createHealth({ db }: { db: Database }, isCutOff: () => boolean): Feature {
  const isReady = () =>
    sql`select 1`.execute(db).then(
      () => !isCutOff(),
      () => false,
    );
  let isListening = false;
  return {
    name: 'health',
    routes({ app }) {
      app.get('/healthz', async (_, reply) =>
        reply.header('cache-control', 'no-store').send({ status: 'ok' }),
      );
      app.get('/readyz', async (_, reply) => {
        const ready = isListening && (await isReady());
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
  };
}
