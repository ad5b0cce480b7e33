import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { isByBearer } from './authenticate.ts';
import type { Confirmations } from './confirmations.ts';
import type { SessionCookies } from './session-cookies.ts';
import type { TotpService } from './totp.service.ts';

export function registerTotpRoutes(
  api: Api,
  services: { totp: TotpService; confirmations: Confirmations },
  cookies: SessionCookies,
): void {
  const { totp, confirmations } = services;

  api.route(routes.setUpTotp, ({ caller }) => totp.setUp(caller.principal));

  api.route(routes.activateTotp, async ({ caller, body, request, reply }) => {
    const { recoveryCodes, sessionToken } = await totp.activate(caller, body.code);
    // Only to whom has the cookie that it replaces: an access token of 15 minutes must not grow into 90 days.
    if (!isByBearer(request.headers)) {
      cookies.setSession(reply, sessionToken, caller.principal.sessionExpiresAt);
    }
    return { recoveryCodes };
  });

  api.route(routes.disableTotp, ({ caller }) => totp.disable(caller));

  api.route(routes.verifyTotp, ({ caller, body }) => confirmations.verify(caller, body));

  api.route(routes.regenerateRecoveryCodes, async ({ caller }) => ({
    recoveryCodes: await totp.regenerateRecoveryCodes(caller),
  }));
}
