import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { pageUrl } from '../../platform/http/page-url.ts';
import type { ControllersService } from './controllers.service.ts';

export function registerControllerRoutes(api: Api, controllers: ControllersService, publicUrl: string): void {
  api.route(routes.listControllers, async ({ principal, query, request }) => {
    const { count, results, page, hasNext } = await controllers.listControllers(principal, query);
    return {
      count,
      next: hasNext ? pageUrl(publicUrl, request.url, page + 1) : null,
      previous: page > 1 ? pageUrl(publicUrl, request.url, page - 1) : null,
      results,
    };
  });

  api.route(routes.countControllers, ({ principal, query }) =>
    controllers.countControllers(principal, query),
  );

  api.route(routes.countAllControllers, () => controllers.countAllControllers());

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
