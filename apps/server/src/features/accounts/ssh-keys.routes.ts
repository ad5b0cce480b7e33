import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { SshKeysService } from './ssh-keys.service.ts';

export function registerSshKeyRoutes(api: Api, sshKeys: SshKeysService): void {
  api.route(routes.listSshKeys, ({ principal }) => sshKeys.list(principal));
  api.route(routes.addSshKey, ({ principal, body, request }) => sshKeys.add(principal, body, request.ip));
  api.route(routes.certifySshKey, ({ principal, body }) => sshKeys.certify(principal, body.publicKey));
  api.route(routes.deleteSshKey, async ({ principal, params, request }) => {
    await sshKeys.delete(principal, params.keyId, request.ip);
    return undefined;
  });
}
