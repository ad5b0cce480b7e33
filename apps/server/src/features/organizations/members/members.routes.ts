import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import type { MembersService } from './members.service.ts';

export function registerMemberRoutes(api: Api, members: MembersService): void {
  api.route(routes.listMembers, ({ caller }) => members.listMembers(caller));
  api.route(routes.updateMember, ({ caller, params, body }) =>
    members.updateMember(caller, { userId: params.userId, ...body }),
  );
  api.route(routes.removeMember, ({ caller, params }) => members.removeMember(caller, params));
  api.route(routes.leaveOrganization, ({ caller }) => members.leaveOrganization(caller));
}
