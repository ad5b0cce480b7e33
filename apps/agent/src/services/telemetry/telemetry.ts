import { createControlCollector, TelemetryLog } from '@pult/collector';
import type { LinkState, TelemetryOffset } from '@pult/link';
import type { MqttClient } from 'mqtt';
import { type Config, defaultBroker } from '../../config/settings.ts';
import { holdBroker } from './broker-connection.ts';
import { type OwnState, ownDevice, ownStatusTopic, publishOwnState } from './own-device.ts';
import { createSystemMetrics, metricPlaces } from './system-metrics.ts';

/** Every subject is told again after this, so that the server can forget what no longer exists; in milliseconds. */
const renewMs = 24 * 3600_000;
const defaultIntervalSeconds = 60;
const firstSampleMs = 2_000;

interface TelemetryOptions {
  config: Pick<Config, 'mqtt' | 'mqttTopics' | 'mqttCa' | 'metricsInterval' | 'dataPath'>;
  print(line: string): void;
  signal: AbortSignal;
  log?: TelemetryLog;
  /** Shortest time before the broker is tried again, in milliseconds. */
  brokerRetryMs?: number;
}

export interface Telemetry {
  read(since: TelemetryOffset, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** What waits for an occasion is told now. */
  tellNow(): void;
  /** What the server says of the claim and wants of the measurements. */
  putState(state: LinkState): void;
  /** For the broker: what becomes of the link, in a word, and how the controller can be claimed. */
  putOwnState(state: Partial<OwnState>): void;
  /** Resolves after the signal, when the broker has been told. */
  readonly ended: Promise<void>;
}

/** Collects what the controller has to tell, whether or not anybody listens. */
export function startTelemetry(options: TelemetryOptions): Telemetry {
  const { config, print, signal, log = new TelemetryLog() } = options;
  const measure = createSystemMetrics({ ...metricPlaces, data: config.dataPath });
  let activated: boolean | undefined;
  let intervalSeconds = config.metricsInterval ?? defaultIntervalSeconds;
  let sampling: NodeJS.Timeout | undefined;

  const sample = () => {
    // Nobody's controller has nobody to measure for.
    if (activated !== false) log.addSample(measure());
  };
  const schedule = () => {
    clearInterval(sampling);
    sampling = setInterval(sample, intervalSeconds * 1000);
  };
  schedule();
  // The first tells how busy the processor was since a moment ago.
  const first = setTimeout(sample, firstSampleMs);
  const renewing = setInterval(() => log.renew(), renewMs);

  let client: MqttClient | undefined;
  let own: OwnState = { activationLink: null, status: 'starting' };
  // Before the connection's own: it says goodbye.
  signal.addEventListener(
    'abort',
    () => {
      clearTimeout(first);
      clearInterval(sampling);
      clearInterval(renewing);
      if (client?.connected) publishOwnState(client, { ...own, status: 'stopped' });
    },
    { once: true },
  );

  const ended = config.mqtt === undefined ? Promise.resolve() : listenToBroker(config.mqtt);

  async function listenToBroker(url: string): Promise<void> {
    const collector = createControlCollector({ log, pattern: config.mqttTopics, ownDevice, print });
    await holdBroker({
      url,
      ca: config.mqttCa,
      mayBeMissing: url === defaultBroker,
      filters: config.mqttTopics.filters,
      will: { topic: ownStatusTopic, payload: 'stopped' },
      onConnect(connected) {
        client = connected;
        publishOwnState(connected, own);
      },
      onMessage: collector.take,
      print,
      signal,
      ...(options.brokerRetryMs === undefined ? {} : { firstRetryMs: options.brokerRetryMs }),
    });
  }

  return {
    read: (since, left) => log.read(since, left),
    tellNow: () => log.tellNow(),
    putState(state) {
      const isClaimed = state.activated && activated === false;
      activated = state.activated;
      // What was before the claim is no affair of the new owner; what was after the release of nobody.
      if (isClaimed || !activated) log.restart();
      if (config.metricsInterval === undefined && state.metricsIntervalSeconds !== intervalSeconds) {
        intervalSeconds = state.metricsIntervalSeconds;
        schedule();
      }
      if (isClaimed) sample();
    },
    putOwnState(state) {
      const next = { ...own, ...state };
      if (JSON.stringify(next) === JSON.stringify(own)) return;
      own = next;
      if (client?.connected) publishOwnState(client, own);
    },
    ended,
  };
}
