import type { Route } from '@pult/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors.ts';
import type { Tracing } from '../tracing/tracing.ts';

type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** A trace of each call, by the pattern of its path. Without tracing the handler itself. */
export function traceCalls(tracing: Tracing, { method, path }: Route, serve: Serve): Serve {
  if (!tracing.isOn) return serve;
  const opening = {
    name: `${method} ${path}`,
    attributes: { 'http.request.method': method, 'http.route': path },
  };
  return (request, reply) =>
    tracing.begin(opening, async (span) => {
      try {
        const answer = await serve(request, reply);
        span.set({ 'http.response.status_code': reply.statusCode });
        return answer;
      } catch (error) {
        const status = error instanceof DomainError ? error.status : 500;
        span.set({ 'http.response.status_code': status });
        // What somebody may not do, or has written wrongly, is no failure of the server.
        if (status >= 500) span.fail(error);
        throw error;
      } finally {
        span.end();
      }
    });
}
