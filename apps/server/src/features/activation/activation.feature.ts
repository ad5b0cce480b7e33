import type { Core, Feature } from '../../platform/feature.ts';
import { sample } from '../../platform/prometheus/metric.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { EnrolmentsService, Links } from '../devices/index.ts';
import { registerActivationRoutes } from './activation.routes.ts';
import { createActivationService } from './activation.service.ts';

/** Claiming a controller for an organization, put together. */
export function createActivationFeature(
  { db, events, recordAudit, clock, publicUrl }: Core,
  dependencies: {
    enrolments: EnrolmentsService;
    links: Links;
    controllers: ControllersService;
    /** 0: no limit. */
    maxControllers: number;
  },
): Feature {
  const activation = createActivationService({ db, events, recordAudit, clock, ...dependencies });
  return {
    name: 'activation',
    metrics: [
      {
        name: 'pult_controllers_limit',
        help: 'Controllers that may be activated; there is no sample where there is no limit',
        type: 'gauge',
        read: () => (dependencies.maxControllers > 0 ? sample(dependencies.maxControllers) : []),
      },
    ],
    routes: ({ api }) => registerActivationRoutes(api, activation, publicUrl),
  };
}
