import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { EnrolmentKeysService } from './enrolment-keys.service.ts';

export function registerEnrolmentKeyRoutes(api: Api, keys: EnrolmentKeysService): void {
  api.route(routes.listEnrolmentKeys, ({ caller }) => keys.listKeys(caller));
  api.route(routes.createEnrolmentKey, ({ caller, body }) => keys.createKey(caller, body));
  api.route(routes.revokeEnrolmentKey, ({ caller, params }) => keys.revokeKey(caller, params.keyId));
}
