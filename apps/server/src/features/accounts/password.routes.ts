import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { isByBearer } from './authenticate.ts';
import type { PasswordService } from './password.service.ts';
import type { SessionCookies } from './session-cookies.ts';

export function registerPasswordRoutes(api: Api, passwords: PasswordService, cookies: SessionCookies): void {
  api.route(routes.changePassword, async ({ caller, body, request, reply }) => {
    const { principal } = caller;
    const browserId = cookies.readBrowser(request.cookies[cookies.browserName], principal.email);
    const { sessionToken } = await passwords.change(caller, body, browserId);
    // Only to whom has the cookie that it replaces: an access token of 15 minutes must not grow into 90 days.
    if (!isByBearer(request.headers)) cookies.setSession(reply, sessionToken, principal.sessionExpiresAt);
    return undefined;
  });
}
