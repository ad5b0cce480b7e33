import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { renderPanel } from './panel-page.ts';
import { applySwitches, measure, type SwitchBoard } from './panel-values.ts';

export interface PanelServer {
  port: number;
  stop(): Promise<void>;
}

/** A tunnel's host name begins with the serial number. */
function readSerialNumber({ headers }: IncomingMessage): string {
  return /^([a-z0-9-]{1,63})\./i.exec(headers.host ?? '')?.[1]?.toUpperCase() ?? 'Controller';
}

/** Web pages of all controllers of the demo, told apart by the host name. `simulated`: descriptions by serial number. */
export async function startPanelServer(
  simulated: ReadonlyMap<string, string>,
  switchBoard: SwitchBoard,
): Promise<PanelServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
      return;
    }
    const serialNumber = readSerialNumber(request);
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    response.writeHead(200, headers).end(renderPanel(serialNumber, simulated.get(serialNumber)));
  });
  const sockets = new WebSocketServer({ server, path: '/values', maxPayload: 1024 });
  sockets.on('connection', (socket, request) => {
    const switches = switchBoard.of(readSerialNumber(request));
    const tell = () => socket.send(JSON.stringify(measure(switches, Date.now())));
    const timer = setInterval(tell, 1000);
    socket.on('message', (message) => {
      applySwitches(switches, String(message));
      tell();
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => clearInterval(timer));
    tell();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
