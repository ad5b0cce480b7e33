import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import type { EnrolmentKeysService } from './enrolment-keys.service.ts';

export function registerEnrolmentKeyRoutes(api: Api, keys: EnrolmentKeysService): void {
  api.route(routes.listEnrolmentKeys, ({ principal, params }) =>
    keys.listKeys(principal, params.organizationId),
  );

  api.route(routes.createEnrolmentKey, ({ principal, params, body, request }) =>
    keys.createKey(principal, params.organizationId, body, request.ip),
  );

  api.route(routes.revokeEnrolmentKey, async ({ principal, params, request }) => {
    await keys.revokeKey(principal, params.organizationId, params.keyId, request.ip);
    return undefined;
  });
}
