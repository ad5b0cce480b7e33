import { routes } from '@pult/contract';
import { DomainError } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import { isForeignOrigin } from '../../../platform/http/origin.ts';
import type { PasskeysService } from './passkeys.service.ts';

export function registerPasskeyRoutes(api: Api, passkeys: PasskeysService, publicUrl: string): void {
  api.route(routes.listPasskeys, ({ caller }) => passkeys.list(caller));
  api.route(routes.createPasskeyOptions, ({ caller }) => passkeys.createOptions(caller));
  api.route(routes.addPasskey, ({ caller, body }) => passkeys.add(caller, body));
  api.route(routes.deletePasskey, ({ caller, params }) => passkeys.delete(caller, params.passkeyId));

  api.route(routes.createPasskeyChallenge, async ({ request }) => {
    if (isForeignOrigin(request.headers, publicUrl)) throw new DomainError('origin_forbidden');
    return passkeys.createChallenge();
  });
}
