import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import type { MembersService } from './members.service.ts';

export function registerMemberRoutes(api: Api, members: MembersService): void {
  api.route(routes.listMembers, ({ principal, params }) =>
    members.listMembers(principal, params.organizationId),
  );

  api.route(routes.updateMember, ({ principal, params, body, request }) =>
    members.updateMember(principal, { ...params, ...body }, request.ip),
  );

  api.route(routes.removeMember, async ({ principal, params, request }) => {
    await members.removeMember(principal, params.organizationId, params.userId, request.ip);
    return undefined;
  });

  api.route(routes.leaveOrganization, async ({ principal, params, request }) => {
    await members.leaveOrganization(principal, params.organizationId, request.ip);
    return undefined;
  });
}
