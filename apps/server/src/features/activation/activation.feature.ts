import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import { sample } from '../../platform/prometheus/metric.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { EnrolmentsService, LocalLinks } from '../devices/index.ts';
import { registerActivationRoutes } from './activation.routes.ts';
import { createActivationService } from './activation.service.ts';
import { type Claims, createClaims } from './claims.ts';
import { createReplacements } from './replacements.ts';

export interface ActivationFeature extends Feature {
  /** What every claim does, for those by a key. */
  claims: Claims;
}

/** Claiming a controller for an organization, put together. */
export function createActivationFeature(
  core: Core,
  dependencies: {
    devices: { enrolments: EnrolmentsService; links: LocalLinks };
    controllers: ControllersService;
  },
): ActivationFeature {
  const { publicUrl, config } = core;
  const { devices, controllers } = dependencies;
  const { enrolments, links } = devices;
  const maxControllers = config.settings.maxActivatedControllers;
  const claims = createClaims(core, { enrolments, links, maxControllers });
  const replacements = createReplacements(core, { enrolments });
  const activation = createActivationService(core, {
    enrolments,
    claims,
    replacements,
    controllers,
  });
  return {
    name: 'activation',
    claims,
    metrics: [
      {
        name: 'pult_controllers_limit',
        help: 'Controllers that may be activated; there is no sample where there is no limit',
        type: 'gauge',
        read: () => (maxControllers > 0 ? sample(maxControllers) : []),
      },
    ],
    routes: ({ api }) => registerActivationRoutes(api, activation, publicUrl),
  };
}
