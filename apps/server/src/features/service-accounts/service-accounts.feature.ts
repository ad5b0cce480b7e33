import type { Core, Feature } from '../../platform/feature.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import type { IssuedTokens, SshKeysService } from '../accounts/index.ts';
import { createServiceAccountsRepository } from './service-accounts.repository.ts';
import { registerServiceAccountRoutes } from './service-accounts.routes.ts';
import { createServiceAccountsService } from './service-accounts.service.ts';

interface Dependencies {
  tokens: IssuedTokens;
  sshKeys: SshKeysService;
}

/** The accounts by which programs of an organization act, put together. */
export function createServiceAccountsFeature(core: Core, dependencies: Dependencies): Feature {
  const { db, clock } = core;
  const accounts = createServiceAccountsService(core, {
    repository: createServiceAccountsRepository(db),
    ...dependencies,
    rateLimiter: createRateLimiter(db, clock),
  });
  return {
    name: 'service-accounts',
    routes: ({ api }) => registerServiceAccountRoutes(api, accounts),
  };
}
