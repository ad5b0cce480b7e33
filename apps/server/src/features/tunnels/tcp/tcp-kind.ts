import { tcpStreamPath } from '@pult/contract';
import { TcpMessages } from '../../../platform/streams.ts';
import { createRawStream, type RawStreamDependencies } from '../raw-stream.ts';
import type { TunnelKind } from '../tunnel-kind.ts';

/**
 * Any TCP port of a controller, for `pult forward`. The tunnel is opened once, by the call that looks at the rights and writes the
 * port down; its key is good for its session alone, and for as many WebSockets as there are, each of which is one TCP connection.
 */
export function createTcpTunnelKind(
  publicUrl: string,
  dependencies: RawStreamDependencies,
): TunnelKind<'tcp'> {
  const stream = createRawStream(dependencies, {
    protocol: 'tcp',
    kind: 'tcp',
    toStream: (webSocket) => new TcpMessages(webSocket).on('error', () => {}),
    async redeem(key, principal) {
      const { access, port } = await dependencies.tunnels.requireForwarded('tcp', key, principal);
      return { access, endpoint: `port-${port}` };
    },
  });
  const address = publicUrl.replace(/^http/, 'ws') + tcpStreamPath;
  return { name: 'tcp', upgrades: [stream], prepare: async () => () => address };
}
