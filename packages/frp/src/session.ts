import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { ForwardError } from './forward-error.ts';
import { ForwardedStream } from './forwarded-stream.ts';
import {
  formatMessage,
  type LoginMessage,
  loginSchema,
  MessageReader,
  messageTypes,
  NoMessageError,
  newProxySchema,
  newWorkSchema,
  readFirstMessage,
} from './messages.ts';
import { ControlCipher, isPrivilegeKey } from './secrecy.ts';
import { WorkPool } from './work-pool.ts';
import { type YamuxCloseReason, YamuxSession } from './yamux/session.ts';
import type { YamuxStream } from './yamux/stream.ts';

export interface FrpOptions {
  /** The token of the device that logs in under this name; undefined where it may not. */
  findToken(user: string): Promise<string | undefined>;
  /** The device has logged in and offers what we open: called once. */
  onReady(session: FrpSession): void;
  /** Time for a login, and for the first message of each stream, in milliseconds. */
  loginMs?: number;
  /** Time for the way to a port of the device. */
  openMs?: number;
  silenceMs?: number;
  answerMs?: number;
}

/** The proxy in our configuration, behind the user's name. */
export const PROXY_NAME = 'pult';
/** Open at a time: as many as a device link has, the control stream, and those that come or go. */
const MAX_STREAMS = 160;
const MAX_OPEN = 128;
/** So many messages on the control stream in a row, and then one a second: more than frpc has ever to say. */
const CONTROL_BURST = 200;
const RUN_ID_BYTES = 8;

const errors = {
  login: 'authorization failed',
  proxy: 'no such proxy here',
};

/** The server's end of what frpc speaks, version 1: one client that has dialled us, and the ports that we open at it. */
export class FrpSession {
  readonly #yamux: YamuxSession;
  readonly #options: FrpOptions;
  readonly #loginMs: number;
  readonly #openMs: number;
  #login: LoginMessage | undefined;
  #control: YamuxStream | undefined;
  #cipher: ControlCipher | undefined;
  #hasProxy = false;
  #isRefused = false;
  #isReady = false;
  #hasStream = false;
  #left = CONTROL_BURST;
  #heardAt = performance.now();
  /** To ports, be they connected or not. */
  readonly #streams = new Set<ForwardedStream>();
  readonly #pool = new WorkPool(() => this.#say(messageTypes.requestWork, {}));
  readonly #loginTimer: NodeJS.Timeout;

  constructor(socket: Duplex, options: FrpOptions) {
    const { loginMs = 10_000, openMs = 12_000, silenceMs, answerMs } = options;
    this.#options = options;
    this.#loginMs = loginMs;
    this.#openMs = openMs;
    this.#yamux = new YamuxSession(socket, {
      maxStreams: MAX_STREAMS,
      onStream: (stream) => this.#onStream(stream),
      ...(silenceMs === undefined ? {} : { silenceMs }),
      ...(answerMs === undefined ? {} : { answerMs }),
    });
    this.#loginTimer = setTimeout(() => this.close('protocol'), loginMs);
    void this.closed.then(() => {
      clearTimeout(this.#loginTimer);
      for (const stream of this.#streams) {
        stream.destroy(new ForwardError('link_closed', 'the connection to the device ended'));
      }
    });
  }

  get closed(): Promise<YamuxCloseReason> {
    return this.#yamux.closed;
  }
  get bytesIn(): number {
    return this.#yamux.bytesIn;
  }
  get bytesOut(): number {
    return this.#yamux.bytesOut;
  }
  /** Whether it has logged in with another token than its own. */
  get isRefused(): boolean {
    return this.#isRefused;
  }
  /** The device's name, once it is ready. */
  get user(): string {
    return this.#login?.user ?? '';
  }

  close(reason: YamuxCloseReason): void {
    this.#yamux.close(reason);
  }

  /** Bytes to and from a port of the device's loopback address, at once: see DeviceConnection.open. */
  open(port: number): ForwardedStream {
    const stream = new ForwardedStream(port, this.#openMs);
    if (this.#streams.size >= MAX_OPEN)
      return stream.destroy(new ForwardError('service_refused', 'too many are open'));
    if (!this.#hasProxy) return stream.destroy(new ForwardError('link_closed', 'the tunnel is closed'));
    this.#streams.add(stream);
    const cancel = this.#pool.take((work) => stream.attach(work, this.#formatStart()));
    stream.once('close', () => {
      this.#streams.delete(stream);
      cancel();
    });
    return stream;
  }

  #formatStart(): Buffer {
    return formatMessage(messageTypes.startWork, { proxy_name: `${this.user}.${PROXY_NAME}` });
  }

  #onStream(stream: YamuxStream): void {
    // Nobody has asked for another one than that of the login: with 160 begun messages a stranger would hold megabytes.
    if (!this.#isReady && this.#hasStream) {
      this.close('protocol');
      return;
    }
    this.#hasStream = true;
    readFirstMessage(stream, this.#loginMs)
      .then(({ type, body }) => {
        if (type === messageTypes.newWork && this.#isReady) this.#onWork(stream, body);
        else if (type === messageTypes.login && !this.#login) return this.#onLogin(stream, body);
        else this.close('protocol');
        return undefined;
      })
      .catch((error: Error) => {
        // frpc gives up a work connection that it could not write to for 10 seconds: on a slow line the others are still good.
        if (error instanceof NoMessageError && this.#pool.countAnswer()) stream.destroy();
        else this.close('protocol'); // no message, one of a wrong form, or a stream that nobody asked for
      });
  }

  #onWork(stream: YamuxStream, body: unknown): void {
    if (newWorkSchema.parse(body).run_id !== this.#login?.run_id) this.close('protocol');
    else if (!this.#pool.add(stream)) this.close('flood');
  }

  async #onLogin(stream: YamuxStream, body: unknown): Promise<void> {
    const login = loginSchema.parse(body);
    this.#login = { ...login, run_id: login.run_id || randomBytes(RUN_ID_BYTES).toString('hex') };
    const token = await this.#options.findToken(login.user);
    // The time in it is the device's, and its clock may be wrong: it is not looked at.
    if (token === undefined || !isPrivilegeKey(login.privilege_key, token, login.timestamp)) {
      this.#isRefused = true;
      stream.end(formatMessage(messageTypes.loginAnswer, { version: login.version, error: errors.login }));
      // Once the answer is on its way.
      stream.once('finish', () => this.close('revoked'));
      return;
    }
    this.#control = stream;
    stream.write(
      formatMessage(messageTypes.loginAnswer, {
        version: login.version,
        run_id: this.#login.run_id,
        error: '',
      }),
    );
    this.#cipher = new ControlCipher(token);
    this.#readControl(stream, this.#cipher);
  }

  #readControl(stream: YamuxStream, cipher: ControlCipher): void {
    const reader = new MessageReader();
    stream.on('data', (bytes: Buffer) => {
      try {
        reader.add(cipher.decrypt(bytes));
        for (let message = reader.next(); message; message = reader.next()) {
          this.#onControl(message.type, message.body);
        }
      } catch {
        this.close('protocol'); // no message, or one of a wrong form
      }
    });
    // Without its control stream a session is over.
    stream.once('end', () => this.close('transport'));
    stream.once('close', () => this.close('transport'));
    stream.resume();
  }

  #onControl(type: string, body: unknown): void {
    if (!this.#mayTalk()) {
      this.close('flood');
      return;
    }
    if (type === messageTypes.ping) this.#say(messageTypes.pong, {});
    else if (type === messageTypes.newProxy) this.#onNewProxy(body);
    else if (type === messageTypes.closeProxy) this.#onCloseProxy(body);
    else this.close('protocol');
  }

  #mayTalk(): boolean {
    const now = performance.now();
    this.#left = Math.min(CONTROL_BURST, this.#left + (now - this.#heardAt) / 1000) - 1;
    this.#heardAt = now;
    return this.#left >= 0;
  }

  #isOurs(name: string, type = 'tcp'): boolean {
    return name === `${this.user}.${PROXY_NAME}` && type === 'tcp';
  }

  #onNewProxy(body: unknown): void {
    const { proxy_name: name, proxy_type: type } = newProxySchema.parse(body);
    const isOurs = this.#isOurs(name, type);
    this.#say(messageTypes.newProxyAnswer, {
      proxy_name: name,
      remote_addr: '',
      error: isOurs ? '' : errors.proxy,
    });
    if (!isOurs) return;
    this.#hasProxy = true;
    if (this.#isReady) return;
    this.#isReady = true;
    clearTimeout(this.#loginTimer);
    this.#pool.askForSpare();
    this.#options.onReady(this);
  }

  #onCloseProxy(body: unknown): void {
    if (this.#isOurs(newProxySchema.parse(body).proxy_name)) this.#hasProxy = false;
  }

  #say(type: string, body: object): void {
    if (this.#control && this.#cipher && !this.#control.destroyed) {
      this.#control.write(this.#cipher.encrypt(formatMessage(type, body)));
    }
  }
}
