import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { AttachmentService } from './attachment.service.ts';
import type { DeletionService } from './deletion.service.ts';
import type { GroupsService } from './groups.service.ts';

interface Services {
  groups: GroupsService;
  deletion: DeletionService;
  attachment: AttachmentService;
}

export function registerGroupRoutes(api: Api, { groups, deletion, attachment }: Services): void {
  api.route(routes.listGroups, ({ principal, query }) => groups.listGroups(principal, query));

  api.route(routes.createGroup, ({ principal, body, request }) =>
    groups.createGroup(principal, body, request.ip),
  );

  api.route(routes.updateGroup, ({ principal, params, body, request }) =>
    groups.updateGroup(principal, params.groupId, body, request.ip),
  );

  api.route(routes.deleteGroup, async ({ principal, params, request }) => {
    await deletion.deleteGroup(principal, params.groupId, request.ip);
    return undefined;
  });

  api.route(routes.restoreGroup, ({ principal, params, request }) =>
    deletion.restoreGroup(principal, params.groupId, request.ip),
  );

  api.route(routes.attachControllers, ({ principal, params, body, request }) =>
    attachment.attach(principal, params.groupId, body, request.ip),
  );

  api.route(routes.undoMove, ({ principal, params, request }) =>
    attachment.undo(principal, params.moveId, request.ip),
  );

  api.route(routes.detachControllers, ({ principal, body, request }) =>
    attachment.detach(principal, body, request.ip),
  );
}
