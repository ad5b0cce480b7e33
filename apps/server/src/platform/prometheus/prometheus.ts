import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Config } from '../../config/config.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import type { Feature } from '../feature.ts';
import { createMetricsRegistry, type ReadMetrics } from './registry.ts';

const metricsPath = '/metrics';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether a request brings the token; how long that takes tells nothing of it. */
function createIsAuthorized(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(`bearer ${token}`);
  return (authorization = '') =>
    timingSafeEqual(digest(authorization.replace(/^bearer +/i, 'bearer ')), expected);
}

/**
 * What Prometheus reads: with the token on the server's own port, without one on a port of the machine alone. Where
 * neither is set nothing is measured, and the path is not there.
 */
export function createPrometheus(
  { log }: Pick<Core, 'log'>,
  {
    config: { token, port },
    listFeatures,
  }: {
    config: Config['prometheus'];
    /** Called once all are there. */
    listFeatures: () => readonly Feature[];
  },
): Feature {
  let registry: ReadMetrics | undefined;
  const readMetrics: ReadMetrics = () => {
    registry ??= createMetricsRegistry(
      listFeatures().flatMap(({ metrics = [] }) => metrics),
      log,
    );
    return registry();
  };
  const isAuthorized = token === undefined ? undefined : createIsAuthorized(token);
  let own: Server | undefined;

  return {
    name: 'prometheus',
    routes({ app }) {
      app.get(metricsPath, async ({ headers }, reply) => {
        if (!isAuthorized) throw new DomainError('not_found');
        void reply.header('cache-control', 'no-store');
        if (!isAuthorized(headers.authorization)) {
          return reply
            .status(401)
            .header('www-authenticate', 'Bearer realm="metrics"')
            .type('text/plain; charset=utf-8')
            .send('METRICS_TOKEN is asked for\n');
        }
        const { contentType, text } = await readMetrics();
        return reply.type(contentType).send(text);
      });
    },
    async start() {
      // What happens from now on is to be measured, not from the first question on.
      if (isAuthorized || port !== undefined) await readMetrics();
    },
    async listen() {
      if (port === undefined) return;
      own = createMetricsServer(readMetrics, log);
      own.listen(port, '127.0.0.1');
      await once(own, 'listening');
    },
    drain() {
      own?.close();
      own?.closeIdleConnections();
    },
    stop() {
      own?.closeAllConnections();
    },
  };
}

function createMetricsServer(readMetrics: ReadMetrics, log: Core['log']): Server {
  return createServer({ headersTimeout: 15_000, requestTimeout: 15_000 }, (request, response) => {
    request.resume();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (request.url?.split('?')[0] !== metricsPath || !isRead) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found\n');
      return;
    }
    readMetrics().then(
      ({ contentType, text }) => {
        const length = Buffer.byteLength(text);
        response.writeHead(200, {
          'content-type': contentType,
          'content-length': length,
          'cache-control': 'no-store',
        });
        response.end(request.method === 'HEAD' ? undefined : text);
      },
      (error: Error) => {
        log.error({ err: error }, 'metrics not read');
        response.writeHead(500).end();
      },
    );
  });
}
