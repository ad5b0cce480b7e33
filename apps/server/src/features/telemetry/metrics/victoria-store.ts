import type { Core } from '../../../platform/core.ts';
import { DomainError } from '../../../platform/errors.ts';
import { sample } from '../../../platform/prometheus/metric.ts';
import type { MetricOutboxRepository } from './metric-outbox.repository.ts';
import type { MetricsStore } from './metrics-store.ts';
import { formatSamples, type VictoriaClient } from './victoria-client.ts';

/** Batches that are sent together. */
const batchesPerSending = 50;
/** Most that waits for a store that is down, in characters; then the devices keep what they have. */
const maxWaiting = 256 << 20;
const sendMs = 1_000;
const retryMs = 5_000;

/**
 * Measurements in VictoriaMetrics. They go through an outbox in the database: so they are acknowledged together with
 * everything else of their batch, survive both sides, and are sent with the same times however often it takes.
 */
export function createVictoriaStore(
  { log }: Pick<Core, 'log'>,
  dependencies: {
    client: VictoriaClient;
    outbox: MetricOutboxRepository;
  },
): MetricsStore {
  const { client, outbox } = dependencies;
  let isDown = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();

  /** Sends what waits; rejects when the store does not take it. */
  function flush(): Promise<void> {
    const next = sending.then(async () => {
      while (!stopped && (await outbox.take(batchesPerSending, client.write)));
    });
    sending = next.catch(() => {
      // Told to whoever asked; what was not sent waits in the outbox.
    });
    return next;
  }

  function flushSoon(): void {
    if (stopped) return;
    void flush()
      .then(
        () => {
          if (isDown) log.info('the store of measurements is back');
          isDown = false;
        },
        (error: Error) => {
          if (!isDown) log.error({ err: error }, 'the store of measurements takes nothing');
          isDown = true;
        },
      )
      .then(() => {
        clearTimeout(timer);
        if (!stopped) timer = setTimeout(flushSoon, isDown ? retryMs : sendMs).unref();
      });
  }

  async function read<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      log.warn({ err: error }, 'measurements not read');
      throw new DomainError('metrics_unavailable');
    }
  }

  return {
    async prepare() {
      if (isDown && (await outbox.measure()) > maxWaiting) throw new DomainError('metrics_unavailable');
    },
    async write(transaction, samples) {
      if (samples.length > 0) await outbox.add(transaction, formatSamples(samples));
    },
    metrics: [
      {
        name: 'pult_telemetry_store_up',
        help: 'Whether VictoriaMetrics took measurements the last time',
        type: 'gauge',
        read: () => sample(isDown ? 0 : 1),
      },
      {
        name: 'pult_telemetry_store_waiting_bytes',
        help: 'Measurements that wait in the database for VictoriaMetrics',
        type: 'gauge',
        read: async () => sample(await outbox.measure()),
      },
    ],
    query: (query) => read(() => client.query(query)),
    summarize: (start, stop) => read(() => client.summarize(start, stop)),
    queryPart: (query) => read(() => client.queryPart(query)),
    listWorst: (query) => read(() => client.listWorst(query)),
    // It tells how large it is, and not whose that is.
    measureSpace: async () => undefined,
    async remove(controllerIds) {
      // What still waits would come after the removal.
      await flush();
      await client.remove(controllerIds);
    },
    // How long it keeps them is its own setting.
    async maintain() {
      // Nothing is left to do here.
    },
    start: flushSoon,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sending;
    },
  };
}
