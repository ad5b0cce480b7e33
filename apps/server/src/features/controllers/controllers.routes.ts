import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { pageAnswer } from '../../platform/http/pages.ts';
import type { ControllersService } from './controllers.service.ts';

export function registerControllerRoutes(api: Api, controllers: ControllersService, publicUrl: string): void {
  api.route(routes.listControllers, async ({ caller, query, request }) => {
    const found = await controllers.listControllers(caller, query);
    return pageAnswer(found, publicUrl, request.url);
  });

  api.route(routes.countControllers, ({ caller, query }) => controllers.countControllers(caller, query));
  api.route(routes.countAllControllers, ({ caller }) => controllers.countAllControllers(caller));
  api.route(routes.getController, ({ caller: { scope, controller } }) =>
    controllers.getController(scope, controller.serialNumber),
  );
  api.route(routes.updateController, ({ caller, body }) => controllers.updateController(caller, body));
  api.route(routes.deleteController, ({ caller }) => controllers.deleteController(caller));
}
