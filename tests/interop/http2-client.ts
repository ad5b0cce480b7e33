import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { CookieJar } from '@pult/testkit';

export interface Http2Request {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

/** A client of HTTP/2 alone, with one connection for all hosts, as a browser has where one certificate covers them. */
export class Http2Client implements Disposable {
  readonly #session: ClientHttp2Session;
  readonly #cookies = new CookieJar();

  constructor(origin: string, ca: string) {
    const { hostname, port } = new URL(origin);
    this.#session = connect(origin, { ca, host: '127.0.0.1', port: Number(port), servername: hostname });
    this.#session.on('error', () => {});
  }

  /** Asks, and answers when the head of the answer is there. */
  async open(address: string, { method = 'GET', headers = {}, body }: Http2Request = {}) {
    const url = new URL(address);
    const cookie = this.#cookies.getHeader(url.hostname);
    const stream: ClientHttp2Stream = this.#session.request(
      {
        ':method': method,
        ':path': url.pathname + url.search,
        ':authority': url.host,
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      { endStream: body === undefined },
    );
    if (body !== undefined) stream.end(body);
    const [answer] = await once(stream, 'response');
    this.#cookies.store(url.hostname, answer['set-cookie'] ?? []);
    return { status: answer[':status'] as number, headers: answer as Record<string, string>, stream };
  }

  /** Asks, and answers with the whole body; follows redirects. */
  async ask(
    address: string,
    request: Http2Request = {},
  ): Promise<{ status: number; body: Buffer; url: string }> {
    const { status, headers, stream } = await this.open(address, request);
    const body = await buffer(stream);
    const { location } = headers;
    if (status >= 300 && status < 400 && location !== undefined)
      return this.ask(new URL(location, address).href);
    return { status, body, url: address };
  }

  /** A call of the API with what is to be said as JSON. */
  async call<T>(method: string, address: string, body?: object): Promise<T> {
    const answer = await this.ask(address, {
      method,
      headers: { origin: new URL(address).origin, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    });
    const text = answer.body.toString();
    if (answer.status >= 300) throw new Error(`${method} ${address} answered ${answer.status} ${text}`);
    // Whoever asks knows what the contract answers.
    return JSON.parse(text) as T;
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }
}
