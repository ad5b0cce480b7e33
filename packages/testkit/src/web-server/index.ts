import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { type Answer, answers, download } from './answers.ts';

export interface ReceivedRequest {
  method: string;
  url: string;
  /** Names and values in turn, as they came. */
  rawHeaders: string[];
}

export interface WebServer extends AsyncDisposable {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** `127.0.0.1:<port>`, as the agent's `--http` takes it. */
  readonly address: string;
  readonly url: string;
  /** Every request and WebSocket upgrade since the start. */
  readonly requests: readonly ReceivedRequest[];
  /** Bytes of downloads that were taken from their source. */
  readonly downloadedBytes: number;
  /** Clients that listen on `/events` now. */
  readonly openEventStreams: number;
  /** To everyone who listens on `/events`. */
  sendEvent(data: string): void;
  stop(): Promise<void>;
}

export interface WebServerOptions {
  title?: string;
  port?: number;
}

const status: Answer = (_request, response, _context, url) => {
  const code = Number(url.pathname.split('/')[2]);
  response.writeHead(code, { 'content-type': 'text/plain' }).end(`status ${code}`);
};

const byFirstPart: Readonly<Record<string, Answer>> = { download, status };

function findAnswer(pathname: string): Answer | undefined {
  return answers[pathname] ?? byFirstPart[pathname.split('/')[1] ?? ''];
}

/** The web interface of a device: a real HTTP server on the loopback address. */
export async function startWebServer(options: WebServerOptions = {}): Promise<WebServer> {
  const requests: ReceivedRequest[] = [];
  const eventStreams = new Set<ServerResponse>();
  let downloadedBytes = 0;
  let ownUrl = '';

  const record = ({ method = '', url = '', rawHeaders }: IncomingMessage) => {
    requests.push({ method, url, rawHeaders });
  };
  const server = createServer((request, response) => {
    record(request);
    const url = new URL(request.url ?? '/', 'http://device');
    const answer = findAnswer(url.pathname);
    if (!answer) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page');
    const context = {
      title: options.title ?? 'Boiler room',
      ownUrl,
      eventStreams,
      countDownloaded: (bytes: number) => {
        downloadedBytes += bytes;
      },
    };
    // A request that its client cut has nobody left to answer.
    Promise.resolve(answer(request, response, context, url)).catch(() => response.destroy());
  });

  const sockets = new WebSocketServer({ server, path: '/ws' });
  sockets.on('connection', (socket, request) => {
    record(request);
    socket.on('error', () => {});
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });

  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;
  ownUrl = `http://127.0.0.1:${port}`;

  const stop = async () => {
    if (!server.listening) return;
    for (const socket of sockets.clients) socket.terminate();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    host: '127.0.0.1',
    port,
    address: `127.0.0.1:${port}`,
    url: ownUrl,
    requests,
    get downloadedBytes() {
      return downloadedBytes;
    },
    get openEventStreams() {
      return eventStreams.size;
    },
    sendEvent(data) {
      for (const stream of eventStreams) stream.write(`data: ${data}\n\n`);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
