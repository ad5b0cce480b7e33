import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import { createHourlyAudit } from '../../platform/hourly-audit.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import type { Claims } from '../activation/index.ts';
import type { EnrolmentsService, KeyClaims } from '../devices/index.ts';
import { createEnrolmentKeysRepository } from './enrolment-keys.repository.ts';
import { registerEnrolmentKeyRoutes } from './enrolment-keys.routes.ts';
import { createEnrolmentKeysService } from './enrolment-keys.service.ts';
import { createKeyClaims } from './key-claims.ts';

export interface EnrolmentKeysFeature extends Feature {
  /** For devices that enrol with a key. */
  claims: KeyClaims;
}

/** Keys by which devices claim themselves for an organization, put together. */
export function createEnrolmentKeysFeature(
  core: Core,
  { enrolments, claims }: { enrolments: EnrolmentsService; claims: Claims },
): EnrolmentKeysFeature {
  const { db, clock } = core;
  const repository = createEnrolmentKeysRepository(db);
  const keys = createEnrolmentKeysService(core, { repository });
  return {
    name: 'enrolment-keys',
    claims: createKeyClaims(core, {
      ...{ repository, enrolments, claims },
      audit: createHourlyAudit({ ...core, rateLimiter: createRateLimiter(db, clock) }),
    }),
    jobs: [{ name: 'delete-ended-enrolment-keys', schedule: '34 3 * * *', run: keys.deleteEnded }],
    routes: ({ api }) => registerEnrolmentKeyRoutes(api, keys),
  };
}
