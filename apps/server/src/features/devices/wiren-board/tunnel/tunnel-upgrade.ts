import { Socket } from 'node:net';
import { START_WINDOW } from '@pult/frp';
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws';
import type { ClientAddress } from '../../../../platform/http/client-address.ts';
import type { UpgradeRoute } from '../../../../platform/http/host-server.ts';
import { refuseUpgrade } from '../../../../platform/http/refuse-upgrade.ts';
import { countSmallPieces } from '../../../../platform/streams.ts';
import type { Tunnels } from './serve-tunnels.ts';

/** Where frpc goes with `protocol = wss`. */
const PATH = '/~!frp';
/**
 * More than a window of a stream and its header, which frpc writes into one message. Not much more: strangers may begin one, which is kept
 * until it is whole.
 */
const MAX_MESSAGE_BYTES = START_WINDOW + 64 * 1024;

/**
 * What frpc says, inside a WebSocket: messages of text that hold any bytes, and are therefore not looked at as text. It takes messages of
 * bytes in answer.
 */
export function createTunnelUpgrade(tunnels: Tunnels, addressOf: ClientAddress): UpgradeRoute {
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    skipUTF8Validation: true,
    maxPayload: MAX_MESSAGE_BYTES,
  });

  return {
    path: PATH,
    upgrade(request, socket, head) {
      const release = tunnels.enter(addressOf(request));
      if (!release) {
        refuseUpgrade(socket, 503);
        return;
      }
      // A broken handshake is answered by ws, and closed.
      socket.once('close', release);
      socket.on('error', () => socket.destroy());
      if (socket instanceof Socket) {
        socket.setTimeout(0);
        socket.setNoDelay(true);
      }
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        boundMessages(webSocket);
        const stream = createWebSocketStream(webSocket);
        stream.on('error', () => {});
        tunnels.serve(stream, release);
      });
    },
  };
}

/** Messages cost time also where nothing is in them, and the session sees none of those. */
function boundMessages(webSocket: WebSocket): void {
  const countPiece = countSmallPieces(() => webSocket.terminate());
  webSocket.on('message', (message: Buffer) => countPiece(message.length));
  for (const control of ['ping', 'pong'] as const) webSocket.on(control, () => countPiece(0));
}
