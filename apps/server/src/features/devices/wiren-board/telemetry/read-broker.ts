import { Duplex, pipeline } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { MqttClient } from 'mqtt';
import type { EndpointStream } from '../../device-connection.ts';
import { EndpointError, isEndpointError } from '../../endpoint-error.ts';
import { PacketGuard } from './packet-guard.ts';

export interface BrokerTimes {
  connectMs: number;
  /** What is retained has come when nothing more does for so long. */
  quietMs: number;
  /** And is taken as it is after so long. */
  lookMs: number;
}
export const brokerTimes: BrokerTimes = { connectMs: 20_000, quietMs: 2_000, lookMs: 30_000 };

interface ReadOptions {
  /** To the broker; destroyed at the end. */
  carrier: EndpointStream;
  filters: readonly string[];
  onMessage(topic: string, payload: Buffer, isRetained: boolean): void;
  times: BrokerTimes;
}

export interface BrokerReading {
  /** Resolves when what is retained has come; rejects with what ended the connection before. */
  whenQuiet(): Promise<void>;
  /** Resolves with what ended the connection. */
  readonly closed: Promise<EndpointError>;
  close(): void;
}

/** Subscribes at a broker whose bytes are a device's: see `PacketGuard`. Rejects with an EndpointError where none answers. */
export async function readBroker({
  carrier,
  filters,
  onMessage,
  times,
}: ReadOptions): Promise<BrokerReading> {
  let failure: Error | undefined;
  const fail = (error: Error | null | undefined) => {
    failure ??= error ?? undefined;
  };
  const guard = pipeline(carrier, new PacketGuard(), fail);
  // The latest that Wiren Board's brokers of all years speak. Each connection is a new one: nothing is kept for us.
  const client = new MqttClient(() => Duplex.from({ readable: guard, writable: carrier }), {
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: times.connectMs,
    keepalive: 60,
  });
  client.on('error', fail);
  let heardAt = 0;
  client.on('message', (topic, payload, { retain }) => {
    heardAt = performance.now();
    onMessage(topic, payload, retain);
  });
  const close = () => {
    client.end(true);
    carrier.destroy();
  };
  const whenTold = (event: 'connect' | 'close') =>
    new Promise<void>((resolve) => client.once(event, () => resolve()));
  const closed = whenTold('close').then(() => {
    close();
    return isEndpointError(failure)
      ? failure
      : new EndpointError('service_reset', `the MQTT broker: ${failure?.message || 'closed'}`);
  });
  const whenClosed = closed.then((reason) => Promise.reject(reason));
  // Nobody may wait for it at that moment.
  whenClosed.catch(() => {});
  await Promise.race([whenTold('connect'), whenClosed]);
  client.subscribe([...filters], { qos: 0 });

  async function waitUntilQuiet(): Promise<void> {
    const begun = performance.now();
    heardAt = begun;
    for (
      let now = begun;
      now - heardAt < times.quietMs && now - begun < times.lookMs;
      now = performance.now()
    )
      await wait(times.quietMs / 10);
  }
  return { closed, close, whenQuiet: () => Promise.race([waitUntilQuiet(), whenClosed]) };
}
