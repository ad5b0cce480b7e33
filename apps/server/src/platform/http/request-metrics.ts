import type { Feature } from '../feature.ts';
import type { ObserveValue } from '../prometheus/metric.ts';

/**
 * How long calls take until their answer begins: how fast it is read, and how long a stream of events lasts, is the
 * client's own. By the pattern of the path, never by the path itself.
 */
export function createRequestMetrics(): Feature {
  let tell: ObserveValue | undefined;
  return {
    name: 'requests',
    metrics: [
      {
        name: 'pult_http_request_duration_seconds',
        help: 'Time until the answer to a request begins, by the pattern of its path; what goes through tunnels is not in it',
        type: 'histogram',
        labels: ['method', 'route', 'status'],
        buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
        observe(observe) {
          tell = observe;
        },
      },
    ],
    routes({ app }) {
      app.addHook('onSend', (request, reply, payload, done) => {
        const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
        const { method } = request;
        const status = `${Math.trunc(reply.statusCode / 100)}xx`;
        tell?.({ method, route, status }, reply.elapsedTime / 1000);
        done(null, payload);
      });
    },
  };
}
