import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionOptions, Msg, NatsConnection, Subscription } from 'nats';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../log.ts';
import { Counts } from '../../prometheus/metric.ts';
import { createEncryptedMessages, dropReasons } from './encrypted-messages.ts';
import { BusError, type BusFailure, type BusHandler, busFailures, type NodeBus } from './node-bus.ts';

export interface NatsSettings {
  urls: readonly string[];
  /** A file. */
  creds?: string | undefined;
}

interface Dependencies {
  settings: NatsSettings;
  key: Buffer;
  getNodeId: () => string;
  clock: Clock;
  log: Logger;
}

export interface NatsBus extends NodeBus {
  /** Connects, and goes on trying for ever. */
  start(): void;
  stop(): Promise<void>;
}

interface Question {
  resolve: (body: unknown) => void;
  reject: (error: BusError) => void;
  timer: NodeJS.Timeout;
}

const defaultTimeoutMs = 2_000;
/** A broker that is silent for three of these is left for another one. */
const pingIntervalMs = 3_000;
const maxFlushMs = 2_000;
const retryMs = 2_000;
/** `stop` waits for no longer. */
const connectTimeoutMs = 5_000;

/** The login of an address, which the library takes apart from it. */
function readServers(
  urls: readonly string[],
): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'> {
  const parsed = urls.map((url) => new URL(url));
  const [first] = parsed;
  const user = decodeURIComponent(first?.username ?? '');
  const pass = decodeURIComponent(first?.password ?? '');
  const login = user === '' ? {} : pass === '' ? { token: user } : { user, pass };
  const isSecure = parsed.some(({ protocol }) => protocol === 'tls:');
  return { servers: parsed.map(({ host }) => host), ...login, ...(isSecure ? { tls: {} } : {}) };
}

/** The bus over NATS, whose library is loaded when it starts. */
export function createNatsBus({ settings, key, getNodeId, clock, log }: Dependencies): NatsBus {
  const messages = createEncryptedMessages({ key, getSender: getNodeId, clock });
  const handlers = new Map<string, BusHandler>();
  const subscriptions = new Map<string, Subscription>();
  const questions = new Map<string, Question>();
  const listeners: ((isConnected: boolean) => void)[] = [];
  const counts = { received: 0, sent: 0, dropped: new Counts(dropReasons), failed: new Counts(busFailures) };
  /** Of this run: answers to another are not for us. */
  const inbox = `pult.answer.${randomBytes(12).toString('hex')}`;
  let asked = 0;
  let nats: NatsConnection | undefined;
  let isConnected = false;
  let isStopped = false;
  let flushing: Promise<void> | undefined;
  let running: Promise<void> | undefined;
  const ended = new AbortController();

  function setConnected(value: boolean): void {
    if (isConnected === value) return;
    isConnected = value;
    if (value) log.info({ server: nats?.getServer() }, 'NATS is reached');
    else {
      if (!isStopped) log.warn('NATS is not reached: other nodes hear nothing of this one');
      for (const name of [...questions.keys()]) fail(name, 'cut');
    }
    for (const listener of listeners) listener(value);
  }

  function fail(name: string, failure: BusFailure): void {
    const question = questions.get(name);
    if (!question) return;
    questions.delete(name);
    clearTimeout(question.timer);
    counts.failed.add(failure);
    question.reject(new BusError(failure));
  }

  /** What an answer goes to is authenticated as well: else an answer could be had elsewhere. */
  const whereOf = (subject: string, reply: string | undefined) => `${subject} ${reply ?? ''}`;

  function send(subject: string, body: unknown, reply?: string): boolean {
    if (!nats || !isConnected) return false;
    const bytes = messages.encrypt(whereOf(subject, reply), body);
    if (!bytes) {
      log.error({ subject: subject.split('.', 2).join('.') }, 'message to other nodes is too long');
      return false;
    }
    nats.publish(subject, bytes, reply === undefined ? {} : { reply });
    counts.sent += 1;
    return true;
  }

  function open(message: Msg) {
    counts.received += 1;
    const opened = read(message);
    if (typeof opened !== 'string') return opened;
    counts.dropped.add(opened);
    log.debug({ subject: message.subject, reason: opened }, 'message dropped');
    return undefined;
  }

  function read({ subject, reply, data }: Msg) {
    try {
      return messages.open(whereOf(subject, reply), data);
    } catch {
      return 'foreign'; // no JSON
    }
  }

  async function handle(handler: BusHandler, message: Msg): Promise<void> {
    const opened = open(message);
    if (!opened) return;
    try {
      const answer = await handler(opened);
      if (answer !== undefined && message.reply) send(message.reply, answer);
    } catch (error) {
      log.error({ err: error, subject: message.subject }, 'message of another node not handled');
    }
  }

  function takeAnswer(message: Msg): void {
    const { subject, headers, data } = message;
    const name = subject.slice(inbox.length + 1);
    if (data.length === 0 && headers?.code === 503) {
      fail(name, 'unheard');
      return;
    }
    const opened = open(message);
    const question = questions.get(name);
    if (!opened || !question) return;
    questions.delete(name);
    clearTimeout(question.timer);
    question.resolve(opened.body);
  }

  function listen(subject: string, handler: BusHandler): void {
    const subscription = nats?.subscribe(subject, {
      callback(error, message) {
        if (error) log.warn({ err: error, subject }, 'subscription failed');
        else void handle(handler, message);
      },
    });
    if (subscription) subscriptions.set(subject, subscription);
  }

  async function watch(connection: NatsConnection): Promise<void> {
    for await (const { type, data } of connection.status()) {
      if (connection !== nats) return;
      if (type === 'disconnect') setConnected(false);
      else if (type === 'reconnect') setConnected(true);
      else if (type === 'error') log.warn({ reason: String(data) }, 'NATS refused something');
    }
  }

  async function connect(): Promise<void> {
    const { connect: open, credsAuthenticator } = await import('nats');
    const { creds } = settings;
    const connection = await open({
      ...readServers(settings.urls),
      ...(creds === undefined ? {} : { authenticator: credsAuthenticator(await readFile(creds)) }),
      name: `pult ${getNodeId()}`,
      noEcho: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      ignoreAuthErrorAbort: true,
      timeout: connectTimeoutMs,
      pingInterval: pingIntervalMs,
      maxPingOut: 2,
    });
    if (isStopped) return connection.close();
    nats = connection;
    connection.subscribe(`${inbox}.*`, {
      callback: (error, message) => {
        if (!error) takeAnswer(message);
      },
    });
    for (const [subject, handler] of handlers) listen(subject, handler);
    setConnected(true);
    // What the library tells of its state ends with no connection.
    void watch(connection);
    await connection.closed();
  }

  /** The library tries for ever what it can try; what it gives up, such as a login that was refused at first, is begun anew. */
  async function run(): Promise<void> {
    let lastReason: string | undefined;
    while (!isStopped) {
      await connect().then(
        () => {
          lastReason = undefined;
        },
        (error: Error) => {
          if (!isStopped && error.message !== lastReason) log.error({ err: error }, 'NATS cannot be used');
          lastReason = error.message;
        },
      );
      setConnected(false);
      nats = undefined;
      subscriptions.clear();
      await delay(retryMs, undefined, { signal: ended.signal }).catch(() => {});
    }
  }

  return {
    get isConnected() {
      return isConnected;
    },
    counts,
    publish: send,
    subscribe(subject, handler) {
      handlers.set(subject, handler);
      subscriptions.get(subject)?.unsubscribe();
      listen(subject, handler);
      return () => {
        // A newer one of that subject is somebody else's.
        if (handlers.get(subject) !== handler) return;
        handlers.delete(subject);
        subscriptions.get(subject)?.unsubscribe();
        subscriptions.delete(subject);
      };
    },
    request(subject, body, timeoutMs = defaultTimeoutMs) {
      asked += 1;
      const name = String(asked);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => fail(name, 'silent'), timeoutMs);
        questions.set(name, { resolve, reject, timer });
        if (!send(subject, body, `${inbox}.${name}`)) fail(name, 'cut');
      });
    },
    flush() {
      if (!nats || !isConnected) return Promise.resolve();
      // Many devices come at once: one question to the broker is for all that were there before it.
      flushing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        flushing = undefined;
        const patience = new Promise<void>((resolve) => setTimeout(resolve, maxFlushMs).unref());
        return Promise.race([nats?.flush().catch(() => {}), patience]);
      });
      return flushing;
    },
    onConnection(listener) {
      listeners.push(listener);
    },
    start() {
      running = run();
    },
    async stop() {
      isStopped = true;
      ended.abort();
      await nats?.close();
      await running;
      isConnected = false;
    },
  };
}
