import { tcpStreamPath } from '@pult/contract';
import type { UpgradeRoute } from '../../../platform/http/host-server.ts';
import { TcpMessages } from '../../../platform/streams.ts';
import { createRawStream, type RawStreamDependencies } from '../raw-stream.ts';

/**
 * One TCP connection to a port of a controller, for each WebSocket of `pult forward`. The tunnel is opened once, by the call that
 * looks at the rights and writes the port down; its key is good for its session alone, and for as many connections as there are.
 */
export function createTcpStream(dependencies: RawStreamDependencies): UpgradeRoute {
  return createRawStream(dependencies, {
    path: tcpStreamPath,
    name: 'tcp-stream',
    kind: 'tcp',
    toStream: (webSocket) => new TcpMessages(webSocket).on('error', () => {}),
    async redeem(key, principal) {
      const { access, port } = await dependencies.tunnels.requireTcp(key, principal);
      return { access, endpoint: `port-${port}` };
    },
  });
}
