import { wait } from '@pult/link';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';

/** A longer message is not delivered by a broker that knows MQTT 5, in bytes. */
const maxPacketBytes = 2 << 20;
const firstRetryMs = 1_000;
const lastRetryMs = 60_000;
const goodbyeMs = 500;
const connectTimeoutMs = 10_000;
/** The broker did not understand the version of the protocol: MQTT 5's answer, and that of older ones. */
const unknownVersion = [0x84, 1];

interface BrokerOptions {
  url: string;
  /** PEM certificates to trust instead of the system's. */
  ca: string | undefined;
  /** Nobody has asked for a broker: that there is none is told to nobody. */
  mayBeMissing: boolean;
  filters: readonly string[];
  will: { topic: string; payload: string };
  onConnect(client: MqttClient): void;
  onMessage(topic: string, payload: Buffer, isRetained: boolean): void;
  print(line: string): void;
  signal: AbortSignal;
  firstRetryMs?: number;
}

/** How one connection ended. `code` is the broker's when it refused. */
interface ConnectionEnd {
  wasConnected: boolean;
  reason: string;
  code?: number | undefined;
}

/** Keeps a connection to the broker until the signal fires. One that is not there is nothing to complain about. */
export async function holdBroker(options: BrokerOptions): Promise<void> {
  const { print, signal } = options;
  const shortest = options.firstRetryMs ?? firstRetryMs;
  let protocolVersion: 4 | 5 = 5;
  let retryMs = shortest;
  let told: string | undefined;
  while (!signal.aborted) {
    const end = await holdConnection(options, protocolVersion);
    if (signal.aborted) return;
    if (end.wasConnected) retryMs = shortest;
    else if (protocolVersion === 5 && end.code !== undefined && unknownVersion.includes(end.code)) {
      protocolVersion = 4;
      continue;
    }
    const line = `mqtt: ${end.wasConnected ? 'connection lost' : 'no broker'} (${end.reason})`;
    if (line !== told && (end.wasConnected || !options.mayBeMissing)) print(line);
    told = end.wasConnected ? undefined : line;
    await wait(retryMs * (0.5 + Math.random() / 2), signal);
    retryMs = Math.min(lastRetryMs, retryMs * 2);
  }
}

function holdConnection(options: BrokerOptions, protocolVersion: 4 | 5): Promise<ConnectionEnd> {
  const { url, ca, filters, will, onConnect, onMessage, print, signal } = options;
  return new Promise((resolve) => {
    const settings: IClientOptions = {
      protocolVersion,
      // Each connection is a new one: what is retained comes again, and no broker keeps a session for us.
      clean: true,
      reconnectPeriod: 0,
      connectTimeout: connectTimeoutMs,
      keepalive: 60,
      queueQoSZero: false,
      will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 0, retain: true },
      ...(protocolVersion === 5 ? { properties: { maximumPacketSize: maxPacketBytes } } : {}),
      ...(ca === undefined ? {} : { ca }),
    };
    let wasConnected = false;
    let failure: (Error & { code?: unknown }) | undefined;
    let client: MqttClient;
    try {
      client = connect(url, settings);
    } catch (error) {
      resolve({ wasConnected, reason: error instanceof Error ? error.message : String(error) });
      return;
    }
    const stop = () => {
      // A broker that does not read must not hold up the end.
      setTimeout(finish, goodbyeMs).unref();
      client.end(false, finish);
    };
    const finish = () => {
      signal.removeEventListener('abort', stop);
      client.removeAllListeners();
      // What it still has to say concerns nobody.
      client.on('error', () => {});
      client.end(true);
      const code = typeof failure?.code === 'number' ? failure.code : undefined;
      resolve({ wasConnected, reason: failure?.message || String(failure?.code ?? 'closed'), code });
    };
    client.on('connect', () => {
      wasConnected = true;
      print('mqtt: connected');
      client.subscribe([...filters], { qos: 0 });
      onConnect(client);
    });
    client.on('message', (topic, payload, packet) => onMessage(topic, payload, packet.retain));
    client.on('error', (error) => {
      failure = error;
    });
    client.on('close', finish);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}
