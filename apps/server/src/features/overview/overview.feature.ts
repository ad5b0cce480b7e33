import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import { createAttentionRepository } from './attention.repository.ts';
import { createFleetFiguresRepository } from './fleet-figures.repository.ts';
import { registerOverviewRoutes } from './overview.routes.ts';
import { createOverviewService, type OverviewSources } from './overview.service.ts';

/** An organization at a glance, put together of what other features know of it. */
export function createOverviewFeature(core: Core, sources: OverviewSources): Feature {
  const service = createOverviewService(core, {
    ...sources,
    figures: createFleetFiguresRepository(core.db),
    attention: createAttentionRepository(core.db),
  });
  return { name: 'overview', routes: ({ api }) => registerOverviewRoutes(api, service) };
}
