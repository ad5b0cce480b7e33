import { sshStreamPath } from '@pult/contract';
import { createWebSocketStream } from 'ws';
import type { UpgradeRoute } from '../../../platform/http/host-server.ts';
import { createRawStream, type RawStreamDependencies } from '../raw-stream.ts';
import { sshTunnel } from './ssh-kind.ts';

/**
 * The device's SSH port as raw bytes, for OpenSSH's ProxyCommand and the like. The SSH inside is end to end:
 * this server sees no password and no content.
 */
export function createSshStream(dependencies: RawStreamDependencies): UpgradeRoute {
  return createRawStream(dependencies, {
    path: sshStreamPath,
    name: 'ssh-stream',
    kind: 'ssh_stream',
    toStream(webSocket) {
      const stream = createWebSocketStream(webSocket, { allowHalfOpen: true });
      return stream.on('error', () => stream.destroy());
    },
    async redeem(key, principal) {
      const access = await dependencies.tunnels.redeemTicket(sshTunnel.name, key, principal);
      return { access, endpoint: sshTunnel.endpoint };
    },
  });
}
