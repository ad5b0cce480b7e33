import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { IdentitiesService } from './identities.service.ts';
import type { SignInSettingsService } from './sign-in-settings.service.ts';

export function registerSignInSettingsRoutes(
  api: Api,
  { settings, identities }: { settings: SignInSettingsService; identities: IdentitiesService },
): void {
  api.route(routes.listIdentities, ({ principal }) => identities.list(principal));

  api.route(routes.deleteIdentity, async ({ principal, params, request }) => {
    await identities.delete(principal, params.identityId, request.ip);
    return undefined;
  });

  api.route(routes.getSignInSettings, ({ principal, params }) =>
    settings.get(principal, params.organizationId),
  );

  api.route(routes.setIdentityProvider, ({ principal, params, body, request }) =>
    settings.setProvider(principal, params.organizationId, body, request.ip),
  );

  api.route(routes.deleteIdentityProvider, async ({ principal, params, request }) => {
    await settings.deleteProvider(principal, params.organizationId, request.ip);
    return undefined;
  });

  api.route(routes.requireSignIn, ({ principal, params, body, request }) =>
    settings.require(principal, params.organizationId, body, request.ip),
  );

  api.route(routes.getGroupGrants, ({ principal, params }) =>
    settings.getRules(principal, params.organizationId),
  );

  api.route(routes.previewGroupGrants, ({ principal, params, body }) =>
    settings.previewRules(principal, params.organizationId, body.rules),
  );

  api.route(routes.setGroupGrants, ({ principal, params, body, request }) =>
    settings.setRules(principal, params.organizationId, body.rules, request.ip),
  );
}
