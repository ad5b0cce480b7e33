import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import { createGrantsRepository, type GrantsRepository } from './grants.repository.ts';
import { registerGrantRoutes } from './grants.routes.ts';
import { createGrantsService } from './grants.service.ts';

export interface GrantsFeature extends Feature {
  /** For invites and sign-ins, which give rights at places of an organization as well. */
  repository: GrantsRepository;
}

/** Rights on parts of an organization, put together. */
export function createGrantsFeature(core: Core): GrantsFeature {
  const repository = createGrantsRepository(core.db);
  const grants = createGrantsService(core, { repository });
  return {
    name: 'grants',
    repository,
    jobs: [{ name: 'delete-ended-grants', schedule: '17 * * * *', run: grants.deleteEnded }],
    routes: ({ api }) => registerGrantRoutes(api, grants),
  };
}
