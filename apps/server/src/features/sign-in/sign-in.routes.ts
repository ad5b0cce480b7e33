import { negotiateLocale, routes } from '@pult/contract';
import type { FastifyRequest } from 'fastify';
import { createVisitor, type Visitor } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Http } from '../../platform/feature.ts';
import { readLocale } from '../../platform/http/answer-locale.ts';
import type { HostCookie } from '../../platform/http/host-cookie.ts';
import { isForeignOrigin } from '../../platform/http/origin.ts';
import { noteRefusal } from '../../platform/http/refused-requests.ts';
import type { SessionCookies } from '../accounts/index.ts';
import type { CompletedSignIn, SignInOrigin, SignInService } from './sign-in.service.ts';

/** Undefined: that of the installation. */
const organizationOf = (provider: string) => (provider === 'installation' ? undefined : provider);

/** The path to which a provider leads back; each has its own, so that no answer is taken for another one's. */
export const callbackPath = (provider: string) => `/api/v1/auth/providers/${provider}/callback/`;

export function registerSignInRoutes(
  { publicUrl, recordAudit }: Core,
  { api, app }: Http,
  service: SignInService,
  { cookie, sessionCookies }: { cookie: HostCookie; sessionCookies: SessionCookies },
): void {
  const readBrowserId = ({ cookies }: FastifyRequest, email: string) =>
    sessionCookies.readBrowser(cookies[sessionCookies.browserName], email);
  const originOf = (request: FastifyRequest, visitor: Visitor): SignInOrigin => {
    const language = request.headers['accept-language'];
    return {
      visitor,
      userAgent: request.headers['user-agent'] ?? '',
      locale: language === undefined ? undefined : negotiateLocale(language),
      readBrowserId: (email) => readBrowserId(request, email),
    };
  };
  const tokenOf = (request: FastifyRequest) => cookie.read(request.headers.cookie);

  const setCookies = (
    request: FastifyRequest,
    reply: Parameters<SessionCookies['setSession']>[0],
    { sessionToken, expiresAt, email, isOwnLogin }: CompletedSignIn,
  ) => {
    sessionCookies.setSession(reply, sessionToken, expiresAt);
    if (isOwnLogin) sessionCookies.setBrowser(reply, email, readBrowserId(request, email));
    void reply.header('set-cookie', cookie.serialize('', new Date(0)));
  };

  api.route(routes.getSignInProvider, ({ params }) => service.getProvider(organizationOf(params.provider)));

  api.route(routes.beginSignIn, async ({ caller, params, body, request, reply }) => {
    if (isForeignOrigin(request.headers, publicUrl)) throw new DomainError('origin_forbidden');
    const provider = organizationOf(params.provider);
    const { url, token, expiresAt } = await service.begin(caller, provider, body.returnTo ?? '/');
    void reply.header('set-cookie', cookie.serialize(token, expiresAt));
    return { url };
  });

  // No call of programs: where a provider leads a browser back to, which goes on to the console in any case.
  app.get(callbackPath(':provider'), async (request, reply) => {
    const params = routes.beginSignIn.params.safeParse(request.params);
    void reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const query = new URLSearchParams(request.url.split('?')[1] ?? '');
    const lead = (parameters: Record<string, string>) =>
      reply.redirect(`${publicUrl}/login/complete?${new URLSearchParams(parameters)}`, 303);
    try {
      if (!params.success) throw new DomainError('provider_not_found', 'malformed');
      const visitor = createVisitor(recordAudit, { address: request.ip, locale: readLocale(request) });
      const asked = { token: tokenOf(request), query, origin: originOf(request, visitor) };
      const login = await service.answer(organizationOf(params.data.provider), asked);
      if (!login) return reply.redirect(`${publicUrl}/login/complete`, 303);
      setCookies(request, reply, login);
      return lead({ done: '1', to: login.returnTo });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const organization = params.success ? organizationOf(params.data.provider) : undefined;
      noteRefusal(request, { ...error.logged, ...(organization === undefined ? {} : { organization }) });
      return lead({ error: error.code });
    }
  });

  api.route(routes.getOpenSignIn, ({ request }) => service.getOpen(tokenOf(request)));

  api.route(routes.completeSignIn, async ({ caller, body, request, reply }) => {
    if (isForeignOrigin(request.headers, publicUrl)) throw new DomainError('origin_forbidden');
    const login = await service.complete(tokenOf(request), body, originOf(request, caller));
    setCookies(request, reply, login);
    return { access: login.access, returnTo: login.returnTo };
  });
}
