import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { ActivationService } from './activation.service.ts';

export function registerActivationRoutes(api: Api, activation: ActivationService): void {
  api.route(routes.validateActivation, ({ body }) => activation.validate(body.token));

  api.route(routes.activateController, ({ principal, body, request }) =>
    activation.activate(principal, body, request.ip),
  );
}
