import { routes } from '@pult/contract';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import { isForeignOrigin } from '../../../platform/http/origin.ts';
import type { DeviceLoginsService } from './device-logins.service.ts';

export function registerDeviceLoginRoutes(api: Api, logins: DeviceLoginsService, publicUrl: string): void {
  /** Programs come from no page: one that asks from a browser of somebody's would have their address. */
  function requireOwnOrigin({ headers }: FastifyRequest): void {
    if (isForeignOrigin(headers, publicUrl)) throw new DomainError('origin_forbidden');
  }

  api.route(routes.startDeviceLogin, async ({ caller, body, request }) => {
    requireOwnOrigin(request);
    return logins.start(caller, body);
  });
  api.route(routes.pollDeviceLogin, async ({ caller, body, request }) => {
    requireOwnOrigin(request);
    return logins.poll(caller, body.deviceCode);
  });
  api.route(routes.findDeviceLogin, ({ caller, body }) => logins.find(caller, body.userCode));
  api.route(routes.approveDeviceLogin, ({ caller, body }) => logins.approve(caller, body));
  api.route(routes.denyDeviceLogin, ({ caller, body }) => logins.deny(caller, body.userCode));
}
