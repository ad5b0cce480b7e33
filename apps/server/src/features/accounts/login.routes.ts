import { routes } from '@pult/contract';
import { DomainError } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { isForeignOrigin } from '../../platform/http/origin.ts';
import { type Authenticate, isByBearer } from './authenticate.ts';
import type { LoginService } from './login.service.ts';
import type { SessionCookies } from './session-cookies.ts';
import type { SessionsService } from './sessions.service.ts';

export function registerLoginRoutes(
  api: Api,
  services: { login: LoginService; sessions: SessionsService },
  options: { cookies: SessionCookies; authenticate: Authenticate; publicUrl: string },
): void {
  const { cookies } = options;

  api.route(routes.login, async ({ caller, body, locale, request, reply }) => {
    // Without a cookie there is nothing to ride on, but logging a visitor in as somebody else is an attack too.
    if (isForeignOrigin(request.headers, options.publicUrl)) throw new DomainError('origin_forbidden');
    const browserId = cookies.readBrowser(request.cookies[cookies.browserName], body.username);
    const login = await services.login.login({
      email: body.username,
      password: body.password,
      code: body.totpCode,
      recoveryCode: body.recoveryCode,
      passkey: body.passkey,
      visitor: caller,
      browserId,
      userAgent: request.headers['user-agent'] ?? '',
      // A program that says no language changes none.
      locale: request.headers['accept-language'] === undefined ? undefined : locale,
    });
    cookies.setSession(reply, login.sessionToken, login.expiresAt);
    cookies.setBrowser(reply, body.username, browserId);
    return { access: login.access };
  });

  api.route(routes.logInByPasskey, async ({ caller, body, locale, request, reply }) => {
    if (isForeignOrigin(request.headers, options.publicUrl)) throw new DomainError('origin_forbidden');
    const readBrowserId = (email: string) => cookies.readBrowser(request.cookies[cookies.browserName], email);
    const login = await services.login.loginByPasskey({
      passkey: body.passkey,
      visitor: caller,
      readBrowserId,
      userAgent: request.headers['user-agent'] ?? '',
      locale: request.headers['accept-language'] === undefined ? undefined : locale,
    });
    cookies.setSession(reply, login.sessionToken, login.expiresAt);
    cookies.setBrowser(reply, login.email, readBrowserId(login.email));
    return { access: login.access };
  });

  api.route(routes.logout, async ({ caller, request, reply }) => {
    // A foreign page that sends no cookie along may not have it cleared either.
    if (!isByBearer(request.headers) && isForeignOrigin(request.headers, options.publicUrl)) {
      throw new DomainError('origin_forbidden');
    }
    try {
      const principal = await options.authenticate(request);
      // A token is ended by name, not by whoever has it.
      if (principal.token) throw new DomainError('token_forbidden', 'logout');
      await services.sessions.logout(caller, principal);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'not_authenticated')) throw error;
    }
    cookies.clearSession(reply);
    return undefined;
  });
}
