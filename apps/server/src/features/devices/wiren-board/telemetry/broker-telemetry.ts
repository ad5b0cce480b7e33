import { Readable } from 'node:stream';
import { createControlCollector, defaultTopics, parseTopicPattern, TelemetryLog } from '@pult/collector';
import type { EndpointStream, TelemetryStream } from '../../device-connection.ts';
import { type BrokerTimes, brokerTimes, readBroker } from './read-broker.ts';
import type { Acquire } from './semaphore.ts';
import { createSystemFigures } from './system-figures.ts';

/** Of one controller; texts are cut short past it. */
const MAX_LOG_BYTES = 1 << 20;
const SAMPLE_MS = 60_000;

interface BrokerReader {
  /** To the controller's broker. */
  open(): EndpointStream;
  /** Somebody looks: it goes on until the stream is destroyed. Otherwise it ends with what is so now. */
  isLive: boolean;
  /** Titles and types as well, and not values alone. */
  hasDescriptions: boolean;
}
export type OpenBrokerTelemetry = (reader: BrokerReader) => TelemetryStream;

interface BrokerTelemetryOptions extends BrokerReader {
  /** For who looks at what is retained. */
  acquire: Acquire;
  times?: Partial<BrokerTimes> | undefined;
}

/**
 * Telemetry of a controller without our agent, read from its MQTT broker: values, titles and descriptions of Wiren Board's
 * convention, and what its own programs publish of the system. What the broker says is a device's: it is bounded in size and
 * rate (`PacketGuard`), in number and length (the collector). That there is none is the stream's error.
 */
export function openBrokerTelemetry(options: BrokerTelemetryOptions): TelemetryStream {
  const ended = new AbortController();
  const stream = Readable.from(tell(options, ended.signal), { objectMode: false });
  // A generator that waits is told of its end by this alone.
  stream.once('close', () => ended.abort());
  return Object.assign(stream, { isCounted: true as const });
}

async function* tell(options: BrokerTelemetryOptions, signal: AbortSignal): AsyncGenerator<Buffer> {
  // Who looks waits for nobody.
  const release = options.isLive ? () => {} : await options.acquire(signal);
  try {
    if (!signal.aborted) yield* readOut(options, signal);
  } finally {
    release();
  }
}

async function* readOut(
  { open, isLive, hasDescriptions, times }: BrokerTelemetryOptions,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const pattern = parseTopicPattern(defaultTopics);
  if (!pattern) throw new Error('the topics of the convention are no pattern');
  const log = new TelemetryLog({ maxLength: MAX_LOG_BYTES });
  // That there are more controls than are told is the device's affair.
  const collector = createControlCollector({ log, pattern, ownDevice: 'pult-agent', print: () => {} });
  const figures = createSystemFigures();
  const carrier = open();
  const cut = () => carrier.destroy();
  signal.addEventListener('abort', cut);
  try {
    const broker = await readBroker({
      carrier,
      filters: hasDescriptions ? pattern.filters : [defaultTopics],
      onMessage(topic, payload, isRetained) {
        figures.take(topic, payload);
        collector.take(topic, payload, isRetained);
      },
      times: { ...brokerTimes, ...times },
    });
    if (isLive) {
      const over = new AbortController();
      void broker.closed.then(() => over.abort());
      const sample = () => log.addSample(figures.read());
      const sampling = setInterval(sample, SAMPLE_MS);
      broker.whenQuiet().then(sample, () => {});
      try {
        yield* log.read({ streamId: null, offset: 0, isLive }, over.signal);
      } finally {
        clearInterval(sampling);
      }
    } else {
      await broker.whenQuiet();
      // What comes from now on waits for the next time.
      broker.close();
      log.addSample(figures.read());
      yield* log.readOnce(signal);
    }
  } finally {
    signal.removeEventListener('abort', cut);
    cut();
  }
}
