import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { formatError, formatTunnelPlace, isErrorCode, tcpStreamPath, tunnelKeyHeader } from '@pult/contract';
import { joinStreams } from '@pult/link/join-streams';
import { TcpMessages } from '@pult/link/tcp-messages';
import { WebSocket } from 'ws';
import { CliError } from './cli-error.ts';
import type { Server } from './server.ts';

interface Forward {
  server: Server;
  serialNumber: string;
  port: number;
  localPort: number;
  /** Tells what befell one connection; the others go on. */
  note(text: string): void;
}

/** What devices refuse with, which is no error of the server's. */
const deviceRefusals: Readonly<Record<string, string>> = {
  service_refused: 'Nothing listens on that port of the controller.',
  service_timeout: 'That port of the controller does not answer.',
  service_not_allowed: 'The agent does not allow that port: its setting allow names the ports.',
  service_not_forwarded: 'The controller is connected by SSH and does not forward that port.',
  service_unknown: 'The agent is too old for this.',
  link_closed: 'The connection to the controller was lost.',
};
/** WebSocket close code of a refusal, whose reason is an error code. */
const refused = 4000;
/** Proxies on the way cut what is silent for a minute. */
const pingMs = 30_000;
/** A tunnel ends after hours; before that the next connection opens another one. */
const renewMs = 60_000;

/** A port of this computer that leads to one of a controller. Rejects where the server or this computer refuses it. */
export async function openForward({ server, serialNumber, port, localPort, note }: Forward) {
  async function openTunnel(): Promise<{ key: string; until: number }> {
    const params = { serialNumber, protocol: formatTunnelPlace({ protocol: 'tcp', port }) };
    const { tunnel, tunnelKey } = await server.call('openTunnel', { params });
    return { key: tunnelKey, until: Date.parse(tunnel.expiresAt) - renewMs };
  }
  // At once, so that a refusal is told before any program connects.
  let tunnel: Promise<Awaited<ReturnType<typeof openTunnel>>> | undefined = openTunnel();
  await tunnel;

  async function getKey(): Promise<string> {
    tunnel ??= openTunnel();
    const { key, until } = await tunnel;
    if (Date.now() < until) return key;
    tunnel = openTunnel();
    return (await tunnel).key;
  }

  async function relay(socket: Socket): Promise<void> {
    const webSocket = new WebSocket(server.server.replace(/^http/, 'ws') + tcpStreamPath, {
      headers: { ...server.headers, [tunnelKeyHeader]: await getKey() },
      perMessageDeflate: false,
    });
    const stream = new TcpMessages(webSocket);
    stream.on('error', () => {});
    let isOpen = false;
    const pings = setInterval(() => isOpen && webSocket.ping(), pingMs);
    webSocket.on('open', () => {
      isOpen = true;
      joinStreams(socket, stream);
    });
    webSocket.on('unexpected-response', (_, { statusCode }) => {
      note(`The server refused a connection with ${statusCode}.\n`);
      webSocket.terminate();
    });
    webSocket.on('close', (code, reason) => {
      clearInterval(pings);
      if (!isOpen) socket.resetAndDestroy();
      if (code !== refused) return;
      // It is over, or ended by an admin: whether there is another, the next connection is told.
      tunnel = undefined;
      const text = String(reason);
      note(`${deviceRefusals[text] ?? (isErrorCode(text) ? formatError(text, server.locale) : text)}\n`);
    });
  }

  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on('error', () => {});
    relay(socket).catch((error: Error) => {
      tunnel = undefined;
      note(`${error.message}\n`);
      socket.resetAndDestroy();
    });
  });
  listener.listen(localPort, '127.0.0.1');
  await once(listener, 'listening').catch((error: Error) => {
    throw new CliError('failed', `Port ${localPort} of this computer cannot be had: ${error.message}`);
  });
  return listener;
}
