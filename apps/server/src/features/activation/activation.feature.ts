import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import { createHourlyAudit } from '../../platform/hourly-audit.ts';
import { sample } from '../../platform/prometheus/metric.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { EnrolmentsService, KeyClaims, Links } from '../devices/index.ts';
import { registerActivationRoutes } from './activation.routes.ts';
import { createActivationService } from './activation.service.ts';
import { createClaims } from './claims.ts';
import { createTellAdmins } from './device-mails.ts';
import { createEnrolmentKeysRepository } from './keys/enrolment-keys.repository.ts';
import { registerEnrolmentKeyRoutes } from './keys/enrolment-keys.routes.ts';
import { createEnrolmentKeysService } from './keys/enrolment-keys.service.ts';
import { createKeyClaims } from './keys/key-claims.ts';
import { createReplacements } from './replacements.ts';

export interface ActivationFeature extends Feature {
  /** For devices that enrol with a key. */
  keyClaims: KeyClaims;
}

/** Claiming a controller for an organization, put together. */
export function createActivationFeature(
  core: Core,
  dependencies: {
    devices: { enrolments: EnrolmentsService; links: Links };
    controllers: ControllersService;
  },
): ActivationFeature {
  const { db, clock, publicUrl, config, mailing } = core;
  const { devices, controllers } = dependencies;
  const { enrolments, links } = devices;
  const maxControllers = config.settings.maxActivatedControllers;
  const tellAdmins = createTellAdmins(mailing.outbox, mailing.writeMail, clock);
  const claims = createClaims(core, { enrolments, links, maxControllers });
  const replacements = createReplacements(core, { enrolments, tellAdmins });
  const activation = createActivationService(core, {
    enrolments,
    claims,
    replacements,
    controllers,
  });
  const repository = createEnrolmentKeysRepository(db);
  const keys = createEnrolmentKeysService(core, { repository });
  return {
    name: 'activation',
    keyClaims: createKeyClaims(core, {
      ...{ repository, enrolments, claims },
      audit: createHourlyAudit({ ...core, rateLimiter: createRateLimiter(db, clock) }),
    }),
    metrics: [
      {
        name: 'pult_controllers_limit',
        help: 'Controllers that may be activated; there is no sample where there is no limit',
        type: 'gauge',
        read: () => (maxControllers > 0 ? sample(maxControllers) : []),
      },
    ],
    jobs: [{ name: 'delete-ended-enrolment-keys', schedule: '34 3 * * *', run: keys.deleteEnded }],
    routes({ api }) {
      registerActivationRoutes(api, activation, publicUrl);
      registerEnrolmentKeyRoutes(api, keys);
    },
  };
}
