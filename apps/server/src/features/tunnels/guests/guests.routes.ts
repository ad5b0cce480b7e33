import { routes } from '@pult/contract';
import { DomainError } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import { isForeignOrigin } from '../../../platform/http/origin.ts';
import { serializeGuestCookie } from './guest-cookie.ts';
import type { FindGuest } from './guest-login.ts';
import type { GuestsService } from './guests.service.ts';

export function registerGuestRoutes(
  api: Api,
  guests: GuestsService,
  { publicUrl, findGuest }: { publicUrl: string; findGuest: FindGuest },
): void {
  const isSecure = publicUrl.startsWith('https:');

  api.route(routes.listGuestLinks, ({ caller }) => guests.list(caller));
  api.route(routes.listOrganizationGuestLinks, ({ caller }) => guests.listOfOrganization(caller));
  api.route(routes.createGuestLink, ({ caller, body }) => guests.create(caller, body));
  api.route(routes.deleteGuestLink, ({ caller, params }) => guests.delete(caller, params.linkId));

  api.route(routes.enterAsGuest, async ({ caller, body, request, reply }) => {
    if (isForeignOrigin(request.headers, publicUrl)) throw new DomainError('origin_forbidden');
    const { answer, cookie } = await guests.enter(body.token, body.pin, caller.address);
    // A web interface has a cookie of its own host.
    if (answer.kind === 'terminal')
      void reply.header('set-cookie', serializeGuestCookie(cookie, { isSecure }));
    return answer;
  });

  api.route(routes.openGuestTunnel, async ({ caller, body, request }) => {
    const login = await findGuest(body.guestId, request.headers);
    if (!login) throw new DomainError('guest_link_invalid', 'not_entered');
    return guests.openTunnel(login, caller.address);
  });
}
