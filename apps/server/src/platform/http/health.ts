import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import type { Feature } from '../feature.ts';

/**
 * Liveness and readiness for supervisors: short answers without a login. Ready is who can ask the database, and of several nodes who
 * hears the others.
 */
export function createHealth({ db }: { db: Database }, isCutOff: () => boolean): Feature {
  const isReady = () =>
    sql`select 1`.execute(db).then(
      () => !isCutOff(),
      () => false,
    );
  return {
    name: 'health',
    routes({ app }) {
      app.get('/healthz', async (_, reply) =>
        reply.header('cache-control', 'no-store').send({ status: 'ok' }),
      );
      app.get('/readyz', async (_, reply) => {
        const ready = await isReady();
        return reply
          .header('cache-control', 'no-store')
          .status(ready ? 200 : 503)
          .send({ status: ready ? 'ready' : 'unavailable' });
      });
    },
  };
}
