import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as sendRequest } from 'node:http';
import { request as sendSecureRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { WebSocket } from 'ws';
import { CookieJar } from './cookie-jar.ts';

export interface HttpRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer | Readable;
  /** Follow redirects, at most 10; by default they are answers like others. */
  followRedirects?: boolean;
  /** Without the cookies of earlier answers. */
  withoutCookies?: boolean;
  signal?: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Where the answer came from, after redirects. */
  url: string;
  /** The body as it arrives; a cut answer makes it fail. */
  body: IncomingMessage;
  text(): Promise<string>;
  json(): Promise<unknown>;
  /** Reads to the end without keeping it. */
  hash(): Promise<{ bytes: number; sha256: string }>;
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function hashBody(body: Readable): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of body) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

export interface HttpClientOptions {
  /** PEM of the authority that https addresses are trusted by. */
  ca?: string;
  /** Connects here whatever port an address names: to one of several proxies of the same address. */
  port?: number;
  /** The address it comes from, such as 127.0.0.9. */
  localAddress?: string;
}

/**
 * A client without a browser's name resolution: whatever host an address names, it connects to 127.0.0.1 and says the
 * name in `Host`. Keeps cookies by host.
 */
export class HttpClient {
  readonly cookies = new CookieJar();
  readonly #options: HttpClientOptions;

  constructor(options: HttpClientOptions = {}) {
    this.#options = options;
  }

  /** How to connect to the host of an address. */
  #getConnection({ hostname, port }: URL) {
    const { ca, port: ownPort, localAddress } = this.#options;
    return {
      host: '127.0.0.1',
      port: ownPort ?? port,
      ...(localAddress === undefined ? {} : { localAddress }),
      ...(ca === undefined ? {} : { ca, servername: hostname }),
    };
  }

  async request(address: string, options: HttpRequest = {}): Promise<HttpAnswer> {
    let url = new URL(address);
    let answer = await this.#send(url, options);
    for (let hops = 0; options.followRedirects && isRedirect(answer); hops++) {
      if (hops === 10) throw new Error(`too many redirects from ${address}`);
      answer.body.resume();
      url = new URL(answer.headers.location ?? '', url);
      answer = await this.#send(url, { ...options, method: 'GET', body: undefined });
    }
    return answer;
  }

  /** Opens a WebSocket with the cookies of its host; a refusal rejects with its status. */
  async openWebSocket(
    address: string,
    { headers = {}, protocols = [] }: { headers?: Record<string, string>; protocols?: string[] } = {},
  ): Promise<WebSocket> {
    const url = new URL(address);
    const cookie = this.cookies.getHeader(url.hostname);
    const { pathname, search, protocol, host } = url;
    const connection = this.#getConnection(url);
    const scheme = protocol === 'https:' || protocol === 'wss:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://127.0.0.1:${connection.port}${pathname}${search}`, protocols, {
      ...connection,
      headers: { host, ...(cookie === undefined ? {} : { cookie }), ...headers },
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, response) => {
        response.resume();
        socket.terminate();
        reject(new WebSocketRefused(response.statusCode ?? 0));
      });
    });
    return socket;
  }

  async #send(url: URL, options: HttpRequest | (HttpRequest & { body: undefined })): Promise<HttpAnswer> {
    const cookie = options.withoutCookies ? undefined : this.cookies.getHeader(url.hostname);
    const request = (url.protocol === 'https:' ? sendSecureRequest : sendRequest)({
      ...this.#getConnection(url),
      path: url.pathname + url.search,
      method: options.method ?? 'GET',
      headers: { host: url.host, ...(cookie === undefined ? {} : { cookie }), ...options.headers },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const { body } = options;
    if (body === undefined) request.end();
    else if (typeof body === 'string' || Buffer.isBuffer(body)) {
      // Node leaves the length out for methods that seldom have a body.
      request.setHeader('content-length', Buffer.byteLength(body));
      request.end(body);
    } else body.pipe(request);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => {}); // from here on the body fails
    this.cookies.store(url.hostname, response.headers['set-cookie'] ?? []);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      url: url.href,
      body: response,
      text: () => readText(response),
      json: async () => JSON.parse(await readText(response)),
      hash: () => hashBody(response),
    };
  }
}

function isRedirect({ status, headers }: HttpAnswer): boolean {
  return status >= 300 && status < 400 && headers.location !== undefined;
}

export class WebSocketRefused extends Error {
  override readonly name = 'WebSocketRefused';
  readonly status: number;

  constructor(status: number) {
    super(`the WebSocket was refused with ${status}`);
    this.status = status;
  }
}
