import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { IdentitiesService } from './identities.service.ts';
import type { SignInSettingsService } from './sign-in-settings.service.ts';

export function registerSignInSettingsRoutes(
  api: Api,
  { settings, identities }: { settings: SignInSettingsService; identities: IdentitiesService },
): void {
  api.route(routes.listIdentities, ({ caller }) => identities.list(caller));
  api.route(routes.deleteIdentity, ({ caller, params }) => identities.delete(caller, params.identityId));
  api.route(routes.getSignInSettings, ({ caller }) => settings.get(caller));
  api.route(routes.setIdentityProvider, ({ caller, body }) => settings.setProvider(caller, body));
  api.route(routes.deleteIdentityProvider, ({ caller }) => settings.deleteProvider(caller));
  api.route(routes.requireSignIn, ({ caller, body }) => settings.require(caller, body));
  api.route(routes.getGroupGrants, ({ caller }) => settings.getRules(caller));
  api.route(routes.previewGroupGrants, ({ caller, body }) => settings.previewRules(caller, body.rules));
  api.route(routes.setGroupGrants, ({ caller, body }) => settings.setRules(caller, body.rules));
}
