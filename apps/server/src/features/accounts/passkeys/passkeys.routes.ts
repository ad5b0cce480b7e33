import { routes } from '@pult/contract';
import { DomainError } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import { isForeignOrigin } from '../../../platform/http/origin.ts';
import type { PasskeysService } from './passkeys.service.ts';

export function registerPasskeyRoutes(api: Api, passkeys: PasskeysService, publicUrl: string): void {
  api.route(routes.listPasskeys, ({ principal }) => passkeys.list(principal));

  api.route(routes.createPasskeyOptions, ({ principal }) => passkeys.createOptions(principal));

  api.route(routes.addPasskey, ({ principal, body, request }) => passkeys.add(principal, body, request.ip));

  api.route(routes.deletePasskey, async ({ principal, params, request }) => {
    await passkeys.delete(principal, params.passkeyId, request.ip);
    return undefined;
  });

  api.route(routes.createPasskeyChallenge, async ({ request }) => {
    if (isForeignOrigin(request.headers, publicUrl)) throw new DomainError('origin_forbidden');
    return passkeys.createChallenge();
  });
}
