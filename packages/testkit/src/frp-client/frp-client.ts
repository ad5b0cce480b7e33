import { createCipheriv, createDecipheriv, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { YamuxClient } from './yamux-client.ts';

export interface FrpClientOptions {
  user: string;
  token: string;
  /** Ports of this machine by those of the controller; others are closed. */
  ports?: Readonly<Record<number, number>>;
  /** Names of the proxies that it offers, behind the user's. */
  proxies?: readonly string[];
  runId?: string;
  /** Of the login, for tests that bend it. */
  login?: Readonly<Record<string, unknown>>;
}

export function frpMessage(type: string, body: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(body));
  const length = Buffer.alloc(8);
  length.writeBigInt64BE(BigInt(text.length));
  return Buffer.concat([Buffer.from(type), length, text]);
}

/** Reads messages off the front of what has come. */
class Messages {
  input: Buffer = Buffer.alloc(0);

  add(bytes: Buffer): void {
    this.input = Buffer.concat([this.input, bytes]);
  }

  take(): { type: string; body: Record<string, unknown> } | undefined {
    const end = this.input.length < 9 ? Number.POSITIVE_INFINITY : 9 + Number(this.input.readBigInt64BE(1));
    if (this.input.length < end) return undefined;
    const message = {
      type: String(this.input.subarray(0, 1)),
      body: JSON.parse(String(this.input.subarray(9, end))),
    };
    this.input = this.input.subarray(end);
    return message;
  }
}

/**
 * The client's end of frp's protocol, version 1, as far as a controller needs it: one session over a connection that is given,
 * and work connections that an HTTP proxy takes further. Written from the protocol's description, for tests only.
 */
export class FrpClient {
  readonly yamux: YamuxClient;
  readonly #options: FrpClientOptions;
  readonly #login: Messages = new Messages();
  readonly #control: Duplex;
  readonly #key: Buffer;
  #encrypt: ((bytes: Buffer) => Buffer) | undefined;
  #decrypt: ((bytes: Buffer) => Buffer) | undefined;
  #iv: Buffer = Buffer.alloc(0);
  #runId = '';
  /** What came on the control stream: the type of each message, and its body. */
  readonly heard: { type: string; body: Record<string, unknown> }[] = [];
  /** Heads of the requests for ports. */
  readonly requests: string[] = [];
  readonly closed: Promise<unknown>;
  /** The server has taken a proxy. */
  readonly ready: Promise<void>;
  #isReady: () => void = () => {};
  /** Work connections are opened when they are asked for. */
  isWilling = true;

  constructor(socket: Duplex, options: FrpClientOptions) {
    this.#options = options;
    this.#key = pbkdf2Sync(options.token, 'frp', 64, 16, 'sha1');
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
    this.closed = once(socket, 'close').catch(() => {});
    this.yamux = new YamuxClient(socket);
    this.#control = this.yamux.openStream();
    this.#control.on('data', (bytes: Buffer) => this.#receive(bytes));
    const timestamp = 1_700_000_000;
    this.#control.write(
      frpMessage('o', {
        version: '0.62.1',
        hostname: 'wirenboard',
        os: 'linux',
        arch: 'arm',
        user: options.user,
        privilege_key: createHash('md5').update(`${options.token}${timestamp}`).digest('hex'),
        timestamp,
        run_id: options.runId ?? '',
        pool_count: 1,
        ...options.login,
      }),
    );
  }

  /** Says something on the control stream, encrypted. */
  say(type: string, body: unknown): void {
    this.sayRaw(frpMessage(type, body));
  }

  sayRaw(bytes: Buffer): void {
    if (!this.#encrypt) {
      const iv = randomBytes(16);
      const cipher = createCipheriv('aes-128-cfb', this.#key, iv);
      this.#encrypt = (each) => cipher.update(each);
      this.#control.write(iv);
    }
    this.#control.write(this.#encrypt(bytes));
  }

  #receive(bytes: Buffer): void {
    this.#login.add(this.#decrypt ? this.#decrypt(bytes) : bytes);
    for (let message = this.#login.take(); message; message = this.#login.take()) {
      this.heard.push(message);
      if (message.type === '1') this.#onLogin(message.body);
      else if (message.type === '2' && !message.body.error) this.#isReady();
      else if (message.type === 'r' && this.isWilling) void this.openWork();
    }
  }

  #onLogin({ run_id: runId, error }: Record<string, unknown>): void {
    if (error) return;
    this.#runId = String(runId);
    const rest = this.#login.input;
    this.#login.input = Buffer.alloc(0);
    this.#decrypt = (bytes) => this.#startDecryption(bytes);
    if (rest.length > 0) this.#receive(rest);
    for (const name of this.#options.proxies ?? ['pult']) {
      this.say('p', { proxy_name: `${this.#options.user}.${name}`, proxy_type: 'tcp' });
    }
  }

  #startDecryption(bytes: Buffer): Buffer {
    this.#iv = Buffer.concat([this.#iv, bytes]);
    if (this.#iv.length < 16) return Buffer.alloc(0);
    const decipher = createDecipheriv('aes-128-cfb', this.#key, this.#iv.subarray(0, 16));
    this.#decrypt = (each) => decipher.update(each);
    return decipher.update(this.#iv.subarray(16));
  }

  /** Opens a work connection, as frpc does when it is asked to. */
  async openWork(runId = this.#runId): Promise<void> {
    const stream = this.yamux.openStream();
    stream.write(frpMessage('w', { run_id: runId }));
    const messages = new Messages();
    const [start, rest] = await readUntil(stream, (bytes) => {
      messages.input = bytes;
      const message = messages.take();
      return message && [message, messages.input];
    });
    if (start.type !== 's' || start.body.error) {
      stream.destroy();
      return;
    }
    if (rest.length > 0) stream.unshift(rest);
    await this.#serveProxy(stream);
  }

  async #serveProxy(stream: Duplex): Promise<void> {
    const [head, rest] = await readUntil(stream, (bytes) => {
      const end = bytes.indexOf('\r\n\r\n');
      return end === -1 ? undefined : [String(bytes.subarray(0, end)), bytes.subarray(end + 4)];
    });
    this.requests.push(head);
    const [, host, port] = /^CONNECT ([^:]+):([0-9]+) HTTP/.exec(head) ?? [];
    const target = host === '127.0.0.1' ? this.#options.ports?.[Number(port)] : undefined;
    const local = target === undefined ? undefined : connect({ port: target, host: '127.0.0.1' });
    try {
      if (!local) throw new Error('closed');
      await once(local, 'connect');
    } catch {
      stream.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      return;
    }
    stream.write('HTTP/1.1 200 OK\r\n\r\n');
    if (rest.length > 0) stream.unshift(rest);
    stream.pipe(local, { end: false });
    local.pipe(stream);
    // Both directions as soon as either ends: what the other still had to say is lost.
    stream.once('end', () => local.destroy());
    stream.once('close', () => local.destroy());
    local.once('error', () => stream.destroy());
    local.once('end', () => local.destroy());
  }
}

/** What `parse` makes of the begin of a stream, as soon as that is enough. */
function readUntil<T>(stream: Duplex, parse: (bytes: Buffer) => T | undefined): Promise<T> {
  let input = Buffer.alloc(0);
  return new Promise((resolve) => {
    const onData = (bytes: Buffer) => {
      input = Buffer.concat([input, bytes]);
      const parsed = parse(input);
      if (parsed === undefined) return;
      stream.off('data', onData).pause();
      resolve(parsed);
    };
    stream.on('data', onData).resume();
  });
}
