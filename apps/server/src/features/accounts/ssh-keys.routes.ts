import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { SshKeysService } from './ssh-keys.service.ts';

export function registerSshKeyRoutes(api: Api, sshKeys: SshKeysService): void {
  api.route(routes.listSshKeys, ({ caller }) => sshKeys.list(caller));
  api.route(routes.addSshKey, ({ caller, body }) => sshKeys.add(caller, body));
  api.route(routes.certifySshKey, ({ caller, body }) => sshKeys.certify(caller, body.publicKey));
  api.route(routes.deleteSshKey, ({ caller, params }) => sshKeys.delete(caller, params.keyId));
}
