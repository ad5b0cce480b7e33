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
  api.route(routes.listGroups, ({ caller, query }) => groups.listGroups(caller, query));
  api.route(routes.createGroup, ({ caller, body }) => groups.createGroup(caller, body));
  api.route(routes.updateGroup, ({ caller, body }) => groups.updateGroup(caller, body));
  api.route(routes.deleteGroup, ({ caller }) => deletion.deleteGroup(caller));
  api.route(routes.restoreGroup, ({ caller, params }) => deletion.restoreGroup(caller, params.groupId));
  api.route(routes.attachControllers, ({ caller, body }) => attachment.attach(caller, body));
  api.route(routes.undoMove, ({ caller, params }) => attachment.undo(caller, params.moveId));
  api.route(routes.detachControllers, ({ caller, body }) => attachment.detach(caller, body));
}
