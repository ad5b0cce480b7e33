import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../../platform/errors.ts';
import type { DatasourceTokens } from './datasource-token.ts';
import { fail, type MetricsSource } from './metrics-source.ts';

/** What Grafana's data sources have as their address; Prometheus' own paths follow. */
export const datasourcePath = '/api-grafana';

/** A query over many controllers by their serial numbers. */
const bodyLimit = 256 * 1024;

/** The data source of every organization: which one it is, its token says. No part of the API for people. */
export async function registerDatasourceRoutes(
  app: FastifyInstance,
  { tokens, source }: { tokens: DatasourceTokens; source: MetricsSource },
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit },
      (_, body, done) => done(null, body),
    );
    scope.route({
      method: ['GET', 'POST'],
      url: `${datasourcePath}/*`,
      handler: async (request, reply) => {
        void reply.header('cache-control', 'no-store').type('application/json; charset=utf-8');
        const organizationId = tokens.verify(request.headers.authorization);
        if (organizationId === undefined) {
          const { status, body } = fail(
            401,
            'unauthorized',
            'this data source is for Grafana, with its token',
          );
          return reply.status(status).send(body);
        }
        const { '*': rest = '' } = request.params as Record<string, string>; // as the route's pattern says
        const path = /^api\/v1\/([\w/]+)$/.exec(rest)?.[1];
        const params = new URLSearchParams(request.url.split('?')[1]);
        if (typeof request.body === 'string') {
          for (const [name, value] of new URLSearchParams(request.body)) params.append(name, value);
        }
        const answer =
          (path === undefined ? undefined : await answerOrFail(source, { organizationId, path, params })) ??
          fail(404, 'not_found', 'this call of Prometheus is not answered');
        return reply.status(answer.status).send(answer.body);
      },
    });
  });
}

async function answerOrFail(source: MetricsSource, call: Parameters<MetricsSource['answer']>[0]) {
  try {
    return await source.answer(call);
  } catch (error) {
    if (error instanceof DomainError) return fail(error.status, 'unavailable', error.message);
    throw error;
  }
}
