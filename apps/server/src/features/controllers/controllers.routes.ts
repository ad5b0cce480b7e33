import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { pageAnswer } from '../../platform/http/pages.ts';
import type { ControllersService } from './controllers.service.ts';

export function registerControllerRoutes(api: Api, controllers: ControllersService, publicUrl: string): void {
  api.route(routes.listControllers, async ({ principal, query, request }) => {
    const found = await controllers.listControllers(principal, query);
    return pageAnswer(found, publicUrl, request.url);
  });

  api.route(routes.countControllers, ({ principal, query }) =>
    controllers.countControllers(principal, query),
  );

  api.route(routes.countAllControllers, ({ principal }) => controllers.countAllControllers(principal));

  api.route(routes.getController, ({ principal, params }) =>
    controllers.getController(principal, params.serialNumber),
  );

  api.route(routes.updateController, ({ principal, params, body, request }) =>
    controllers.updateController(principal, params.serialNumber, body, request.ip),
  );

  api.route(routes.deleteController, async ({ principal, params, request }) => {
    await controllers.deleteController(principal, params.serialNumber, request.ip);
    return undefined;
  });
}
