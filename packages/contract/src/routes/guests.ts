import { z } from 'zod';
import type { Route } from '../route.ts';
import {
  createdGuestLink,
  createGuestLinkRequest,
  enterAsGuestRequest,
  guestAnswer,
  guestLink,
  guestTunnelAnswer,
  openGuestTunnelRequest,
} from '../schemas/guests.ts';
import { id } from '../schemas/text.ts';
import { controllerParams } from './controllers.ts';

export const guestRoutes = {
  listGuestLinks: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/guest-links/',
    access: 'user',
    permission: 'guests.manage',
    params: controllerParams,
    status: 200,
    answer: z.array(guestLink),
    errors: ['controller_not_found'],
    summary: 'The links by which guests reach a service of the controller, newest first',
  },
  createGuestLink: {
    method: 'POST',
    path: '/api/v1/controllers/{serialNumber}/guest-links/',
    access: 'user',
    permission: 'guests.manage',
    params: controllerParams,
    body: createGuestLinkRequest,
    status: 201,
    answer: createdGuestLink,
    errors: ['controller_not_found', 'guests_off', 'guest_links_limit_reached', 'too_many_attempts'],
    summary:
      'Share one service of the controller with somebody without an account; only this answer has link and PIN',
  },
  deleteGuestLink: {
    method: 'DELETE',
    path: '/api/v1/controllers/{serialNumber}/guest-links/{linkId}/',
    access: 'user',
    permission: 'guests.manage',
    isUncounted: true,
    isServedWhenFull: true,
    params: controllerParams.extend({ linkId: id }),
    status: 204,
    errors: ['controller_not_found', 'guest_link_not_found'],
    summary: 'End a guest’s link; whatever the guest has open is cut',
  },
  enterAsGuest: {
    method: 'POST',
    path: '/api/v1/guest/',
    access: 'none',
    body: enterAsGuestRequest,
    status: 200,
    answer: guestAnswer,
    errors: [
      'guest_link_invalid',
      'guest_pin_wrong',
      'controller_offline',
      'node_unreachable',
      'tunnel_host_unavailable',
      'tunnel_ports_exhausted',
      'too_many_attempts',
      'origin_forbidden',
    ],
    summary: 'Enter by a guest’s link and its PIN; the fifth wrong one ends the link',
  },
  openGuestTunnel: {
    method: 'POST',
    path: '/api/v1/guest-terminal/tunnel/',
    access: 'none',
    body: openGuestTunnelRequest,
    status: 200,
    answer: guestTunnelAnswer,
    errors: [
      'guest_link_invalid',
      'controller_offline',
      'node_unreachable',
      'too_many_attempts',
      'origin_forbidden',
    ],
    summary: 'A key for the terminal of a guest who has come in',
  },
} as const satisfies Record<string, Route>;
