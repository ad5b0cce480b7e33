import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { createByteSource } from '../byte-source.ts';
import { indexPage, script, style } from './pages.ts';

/** What an answer may use of the server it belongs to. */
interface AnswerContext {
  title: string;
  /** `http://127.0.0.1:<port>`: what a device calls itself, though nobody outside can reach it. */
  ownUrl: string;
  eventStreams: Set<ServerResponse>;
  countDownloaded: (bytes: number) => void;
}

export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  context: AnswerContext,
  url: URL,
) => void | Promise<void>;

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const text =
  (type: string, body: string | ((context: AnswerContext) => string)): Answer =>
  (_request, response, context) => {
    const content = typeof body === 'string' ? body : body(context);
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(content);
  };

const redirect =
  (location: (request: IncomingMessage, context: AnswerContext) => string): Answer =>
  (request, response, context) => {
    response.writeHead(302, { location: location(request, context) }).end();
  };

const echo: Answer = async (request, response) => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of request) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  sendJson(response, { method: request.method, bytes, sha256: hash.digest('hex') });
};

/** `?chunked` leaves the length out, so that only the end of the coding tells a whole answer from a cut one. */
export const download: Answer = async (request, response, context, url) => {
  const bytes = Number(url.pathname.split('/')[2]);
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    ...(url.searchParams.has('chunked') ? {} : { 'content-length': bytes }),
  });
  if (request.method === 'HEAD') return void response.end();
  // A client that goes away is no fault of the server.
  await pipeline(createByteSource(bytes, context.countDownloaded), response).catch(() => {});
};

const setCookies: Answer = (request, response) => {
  response.setHeader('set-cookie', [
    'device_session=secret-of-the-device; Path=/; HttpOnly',
    'device_theme=dark; Path=/; Domain=127.0.0.1',
  ]);
  sendJson(response, { cookie: request.headers.cookie ?? null });
};

const events: Answer = (_request, response, context) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write('data: hello\n\n');
  context.eventStreams.add(response);
  response.on('close', () => context.eventStreams.delete(response));
};

/** By exact path. `/download/<bytes>` and `/status/<code>` are matched by their first part. */
export const answers: Readonly<Record<string, Answer>> = {
  '/': text('text/html', ({ title }) => indexPage(title)),
  '/style.css': text('text/css', style),
  '/app.js': text('text/javascript', script),
  '/landed': text('text/plain', 'landed'),
  '/redirect/own-address': redirect((_request, { ownUrl }) => `${ownUrl}/landed`),
  '/redirect/host': redirect(({ headers }) => `http://${headers.host}/landed`),
  '/redirect/path': redirect(() => '/landed'),
  '/redirect/elsewhere': redirect(() => 'https://example.com/docs'),
  '/cookies': setCookies,
  '/headers': ({ method, url, rawHeaders }, response) => sendJson(response, { method, url, rawHeaders }),
  '/echo': echo,
  '/events': events,
  '/hang': () => {},
  /** The head and the first bytes at once, the rest never. */
  '/slow': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).write('first part');
  },
  '/gzip': (_request, response) => {
    const body = gzipSync('compressed by the device');
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(body);
  },
  '/takeover': (_request, response) => {
    response
      .writeHead(200, {
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'clear-site-data': '"*"',
        'x-device': 'kept',
      })
      .end('takeover');
  },
};
