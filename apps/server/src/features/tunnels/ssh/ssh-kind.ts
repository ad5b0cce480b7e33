import { createWebSocketStream } from 'ws';
import type { UpgradeRoute } from '../../../platform/http/host-server.ts';
import { createRawStream, type RawStreamDependencies } from '../raw-stream.ts';
import type { TunnelKind } from '../tunnel-kind.ts';

/**
 * SSH: the console's terminals with their files, and the device's SSH port as raw bytes, for OpenSSH's ProxyCommand and the like. The
 * SSH inside of these is end to end: this server sees no password and no content. The terminal's page asks for its ticket itself.
 */
export function createSshTunnelKind(
  publicUrl: string,
  terminals: readonly UpgradeRoute[],
  dependencies: RawStreamDependencies,
): TunnelKind<'ssh'> {
  const rawStream = createRawStream(dependencies, {
    protocol: 'ssh',
    kind: 'ssh_stream',
    toStream(webSocket) {
      const stream = createWebSocketStream(webSocket, { allowHalfOpen: true });
      return stream.on('error', () => stream.destroy());
    },
    redeem: async (key, principal) => ({
      access: await dependencies.tunnels.redeemTicket('ssh', key, principal),
      endpoint: 'ssh',
    }),
  });
  return {
    name: 'ssh',
    upgrades: [...terminals, rawStream],
    prepare:
      async ({ serialNumber }) =>
      () =>
        `${publicUrl}/connect/ssh/${serialNumber}/`,
  };
}
