import { routes } from '@pult/contract';
import { DomainError } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import { isForeignOrigin } from '../../../platform/http/origin.ts';
import type { InviteAcceptance } from './invite-acceptance.service.ts';
import type { InvitesService } from './invites.service.ts';

export function registerInviteRoutes(
  api: Api,
  invites: InvitesService,
  acceptance: InviteAcceptance,
  publicUrl: string,
): void {
  api.route(routes.inviteUser, ({ caller, body, locale }) => invites.inviteUser(caller, { ...body, locale }));

  api.route(routes.listInvites, ({ caller }) => invites.listInvites(caller));

  api.route(routes.revokeInvite, ({ caller, params }) => invites.revokeInvite(caller, params.inviteId));

  api.route(routes.validateInvite, ({ caller, body, request }) => {
    // Without a login there is no cookie to ride on, but nobody else's page has business with an invite.
    if (isForeignOrigin(request.headers, publicUrl)) throw new DomainError('origin_forbidden');
    return acceptance.validateInvite(caller, body.organizationInviteToken);
  });

  api.route(routes.acceptInvite, ({ caller, body }) =>
    acceptance.acceptInvite(caller, body.organizationInviteToken),
  );
}
