import { createConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import type { DeviceKind } from '../device-kind.ts';
import { createDeviceLogin } from './device-login.ts';
import { parseDeviceUser } from './device-user.ts';
import { createInstallScript } from './install-script.ts';
import { type SshKindOptions, serveDevice } from './serve-device.ts';

export type { SshKindOptions } from './serve-device.ts';

/** Devices that are connected and that nobody has claimed, of one client (`toNetwork`). */
const maxUnclaimedPerNetwork = 300;

const portIsOff = 'This server has no SSH port (SSH_JUMP_PORT).\n';

/**
 * Devices that have nothing but an SSH client: they come in by the server's SSH port as the user `device`, are known by
 * their keys, and forward what is to be reached (`ssh -R`).
 */
export function createSshDeviceKind(options?: SshKindOptions): DeviceKind {
  return {
    name: 'ssh',
    create(core, dependencies) {
      const { sshListener, enrolments, limits, hold, isKeyOfPerson } = dependencies;
      const unclaimed = createConcurrencyLimit(maxUnclaimedPerNetwork);
      sshListener.add({
        serves: (userName) => parseDeviceUser(userName) !== undefined,
        serve(incoming) {
          const admit = serveDevice({ core, enrolments, hold, unclaimed, ...options }, incoming);
          return createDeviceLogin({ enrolments, limits, isKeyOfPerson, admit, log: core.log }, incoming);
        },
      });
      return {
        routes({ app }) {
          app.get('/agent/ssh-install.sh', (_, reply) => {
            const { address, hostKeyLine } = sshListener;
            reply.header('cache-control', 'no-cache').header('content-disposition', 'attachment');
            if (!address) return reply.status(404).type('text/plain; charset=utf-8').send(portIsOff);
            const script = createInstallScript({ publicUrl: core.publicUrl, ...address, hostKeyLine });
            return reply.type('text/x-shellscript; charset=utf-8').send(script);
          });
        },
      };
    },
  };
}
