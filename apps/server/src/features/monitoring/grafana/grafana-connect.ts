import { negotiateLocale } from '@pult/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../../platform/errors.ts';
import { renderErrorPage } from '../../../platform/http/error-page.ts';
import type { Authenticate } from '../../accounts/index.ts';
import type { GrafanaAccessService } from './grafana-access.service.ts';
import { connectPath, ticketPath } from './grafana-host.ts';
import { type GrafanaPage, grafanaPages, renderPass } from './grafana-pages.ts';

/**
 * The page of the console's host by which a browser gets into Grafana's: it knows the browser by the console's cookie,
 * and hands a ticket over in the body of a form.
 */
export function registerGrafanaConnect(
  app: FastifyInstance,
  dependencies: {
    authenticate: Authenticate;
    service: GrafanaAccessService;
    origin: string;
    publicUrl: string;
  },
): void {
  const { authenticate, service, origin, publicUrl } = dependencies;

  function sendPage(request: FastifyRequest, reply: FastifyReply, page: GrafanaPage) {
    const { status, headers, body } = renderErrorPage(request, grafanaPages[page], { consoleUrl: publicUrl });
    return reply.status(status).headers(headers).send(body);
  }

  function sendPass(request: FastifyRequest, reply: FastifyReply, ticket: string) {
    const locale = negotiateLocale(request.headers['accept-language']);
    const { html, policy } = renderPass(ticket, origin + ticketPath, locale);
    return reply
      .headers({
        'content-security-policy': policy,
        'cache-control': 'no-store',
        vary: 'accept-language',
        // Grafana's host takes tickets from the console alone, and has to see that it is the console.
        'referrer-policy': 'strict-origin',
      })
      .type('text/html; charset=utf-8')
      .send(html);
  }

  app.get(connectPath, async (request: FastifyRequest, reply) => {
    const { path } = request.query as Record<string, unknown>; // as Fastify parses it: text, or a list of it
    try {
      const principal = await authenticate(request);
      // What one may do in Grafana hangs on the account, whatever the scopes of a token are.
      if (principal.token) throw new DomainError('token_forbidden', 'not_for_tokens');
      const ticket = await service.openPath(principal, typeof path === 'string' ? path : '');
      return sendPass(request, reply, ticket);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // The console asks who it is; Monitoring is one click from there.
      if (error.code === 'not_authenticated') {
        return reply.header('cache-control', 'no-store').redirect(`${publicUrl}/login`);
      }
      return sendPage(request, reply, error.code === 'grafana_unavailable' ? 'unavailable' : 'unauthorized');
    }
  });
}
