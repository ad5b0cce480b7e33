import { lookup } from 'node:dns';
import { isSafeForSignIn } from '../../config/oidc-settings.ts';
import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import { createHourlyAudit } from '../../platform/hourly-audit.ts';
import { createHostCookie } from '../../platform/http/host-cookie.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import { createFetchStranger } from '../../platform/webhooks/index.ts';
import type { ProviderLogins } from '../accounts/index.ts';
import type { GrantsRepository } from '../grants/index.ts';
import { createProviders } from './find-provider.ts';
import { createGivenByGroups } from './given-by-groups.ts';
import { createGroupGrantsRepository } from './group-grants.repository.ts';
import { createIdentitiesRepository } from './identities.repository.ts';
import { createIdentitiesService } from './identities.service.ts';
import { createPendingSignInsRepository } from './pending-sign-ins.repository.ts';
import { providerId } from './provider.ts';
import { createProviderClient } from './provider-client.ts';
import { createNoteProviderFailure } from './provider-failures.ts';
import { createProvidersRepository } from './providers.repository.ts';
import { shownGroupGrantsRepository } from './shown-group-grants.repository.ts';
import { callbackPath, registerSignInRoutes } from './sign-in.routes.ts';
import { createSignInService } from './sign-in.service.ts';
import { createSignInChecksRepository } from './sign-in-checks.repository.ts';
import { createSignInChecks } from './sign-in-checks.ts';
import { createSignInOutcome } from './sign-in-outcome.ts';
import { registerSignInSettingsRoutes } from './sign-in-settings.routes.ts';
import { createSignInSettingsService } from './sign-in-settings.service.ts';

/** Sign-in by identity providers (OpenID Connect), put together: docs/sign-in.md. */
export function createSignInFeature(
  core: Core,
  dependencies: {
    logins: ProviderLogins;
    /** Of all organizations: where rights are given at. */
    places: Pick<GrantsRepository, 'findPlace' | 'holdPlace'>;
  },
): Feature {
  const { db, clock, log, publicUrl, config } = core;
  const { logins, places } = dependencies;
  const { allowsPrivate, groupsFor } = config.oidc;
  const rateLimiter = createRateLimiter(db, clock);
  const repository = createProvidersRepository(db);
  const identities = createIdentitiesRepository(db);
  const rules = createGroupGrantsRepository(groupsFor);
  const providers = createProviders(core, { repository });
  const client = createProviderClient({
    // Of the operator's choice: it waits for no names of others.
    fetchTrusted: createFetchStranger({ allowsPrivate: true, resolve: lookup }),
    fetchStranger: createFetchStranger({ allowsPrivate }),
    log,
  });
  const givenByGroups = createGivenByGroups(core, { repository: rules });
  const shared = {
    places,
    logins,
    repository,
    identities,
    providers,
    client,
    noteFailure: createNoteProviderFailure(createHourlyAudit({ ...core, rateLimiter })),
    givenByGroups,
    rateLimiter,
    isAvailable: isSafeForSignIn(publicUrl),
    redirectUriOf: (organizationId: string | undefined) =>
      publicUrl + callbackPath(providerId(organizationId)),
  };
  const pending = createPendingSignInsRepository(db);
  const outcome = createSignInOutcome(core, { ...shared, pending });
  const signIns = createSignInService(core, { ...shared, pending, outcome });
  const checks = createSignInChecks(core, { ...shared, repository: createSignInChecksRepository(db) });
  const services = {
    settings: createSignInSettingsService(core, {
      ...shared,
      rules,
      shownRules: shownGroupGrantsRepository,
      allowsPrivate,
    }),
    identities: createIdentitiesService(core, { ...shared, repository: identities }),
  };

  return {
    name: 'sign-in',
    jobs: [
      { name: 'check-sign-ins', schedule: '* * * * *', run: checks.run },
      { name: 'delete-expired-sign-ins', schedule: '27 * * * *', run: signIns.deleteExpired },
    ],
    routes(http) {
      const cookie = createHostCookie('pult_sign_in', { isSecure: publicUrl.startsWith('https:') });
      registerSignInRoutes(core, http, signIns, { cookie, sessionCookies: logins.cookies });
      registerSignInSettingsRoutes(http.api, services);
    },
  };
}
