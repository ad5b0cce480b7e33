import { routes } from '@pult/contract';
import { DomainError } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { isForeignOrigin } from '../../platform/http/origin.ts';
import type { AccountsService } from './accounts.service.ts';
import type { Authenticate } from './authenticate.ts';
import type { SessionCookies } from './session-cookies.ts';

export function registerAccountRoutes(
  api: Api,
  accounts: AccountsService,
  options: { cookies: SessionCookies; authenticate: Authenticate; publicUrl: string },
): void {
  const { cookies } = options;

  api.route(routes.login, async ({ body, request, reply }) => {
    // Without a cookie there is nothing to ride on, but logging a visitor in as somebody else is an attack too.
    if (isForeignOrigin(request.headers, options.publicUrl)) throw new DomainError('origin_forbidden');
    const browserId = cookies.readBrowser(request.cookies[cookies.browserName], body.username);
    const login = await accounts.login({
      email: body.username,
      password: body.password,
      address: request.ip,
      browserId,
      userAgent: request.headers['user-agent'] ?? '',
    });
    cookies.setSession(reply, login.sessionToken, login.expiresAt);
    cookies.setBrowser(reply, body.username, browserId);
    return { access: login.access };
  });

  api.route(routes.logout, async ({ request, reply }) => {
    try {
      await accounts.logout(await options.authenticate(request), request.ip);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'not_authenticated')) throw error;
    }
    cookies.clearSession(reply);
    return undefined;
  });

  api.route(routes.getCurrentUser, ({ principal }) => accounts.getCurrentUser(principal));
}
