import { networkInterfaces } from 'node:os';
import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { isOwnMachine, listLanAddresses } from '../../platform/network.ts';
import type { ActivationService } from './activation.service.ts';

export function registerActivationRoutes(api: Api, activation: ActivationService, publicUrl: string): void {
  api.route(routes.validateActivation, ({ caller, body }) => activation.validate(caller, body.token));

  api.route(routes.activateController, ({ caller, body }) => activation.activate(caller, body));

  api.route(routes.listLanAddresses, async () => ({
    addresses: isOwnMachine(new URL(publicUrl).hostname) ? listLanAddresses(networkInterfaces()) : [],
  }));
}
