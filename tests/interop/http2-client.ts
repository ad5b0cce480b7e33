import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { Readable } from 'node:stream';
import { CookieJar } from '@pult/testkit';

/** A client of HTTP/2 alone, with one connection for all hosts, as a browser has where one certificate covers them. */
export class Http2Client implements Disposable {
  readonly #session: ClientHttp2Session;
  readonly #cookies = new CookieJar();

  constructor(port: number, ca: string) {
    this.#session = connect(`https://localhost:${port}`, { ca, host: '127.0.0.1' });
    this.#session.on('error', () => {});
  }

  /** Asks, and answers when the head of the answer is there; whoever says CONNECT goes on writing. */
  async open(address: string, headers: Readonly<Record<string, string>> = {}, body?: Readable) {
    const { hostname, host, pathname, search } = new URL(address);
    const cookie = this.#cookies.getHeader(hostname);
    const stream = this.#session.request(
      {
        ':scheme': 'https',
        ':path': pathname + search,
        ':authority': host,
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      { endStream: headers[':method'] === undefined },
    );
    body?.pipe(stream);
    const [answer] = await once(stream, 'response');
    this.#cookies.store(hostname, answer['set-cookie'] ?? []);
    return { status: answer[':status'] as number, location: answer.location as string | undefined, stream };
  }

  /** Asks, and goes where the answers send it. */
  async follow(address: string): ReturnType<Http2Client['open']> {
    const answer = await this.open(address);
    if (answer.location === undefined) return answer;
    answer.stream.resume();
    return this.follow(new URL(answer.location, address).href);
  }

  /** A WebSocket within the connection (RFC 8441); undefined where the other end takes none. */
  async openWebSocket(address: string) {
    if (this.#session.remoteSettings.enableConnectProtocol !== true) return undefined;
    const { origin } = new URL(address);
    const { status, stream } = await this.open(address, {
      ':method': 'CONNECT',
      ':protocol': 'websocket',
      'sec-websocket-version': '13',
      origin,
    });
    if (status !== 200) throw new Error(`a WebSocket was answered ${status}`);
    return stream;
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }
}
