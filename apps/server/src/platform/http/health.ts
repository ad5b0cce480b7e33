import type { FastifyInstance } from 'fastify';

/** Liveness and readiness for supervisors: short answers without a login. */
export function serveHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    const ready = await isReady();
    return reply
      .header('cache-control', 'no-store')
      .status(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'unavailable' });
  });
}
