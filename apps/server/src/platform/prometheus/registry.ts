import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from '../log.ts';
import type { Metric, ReadMetric, Sample } from './metric.ts';

/** Prometheus' own patience is ten seconds: what the others say is not to be lost with what hangs. */
const readTimeoutMs = 5_000;
/** Gauges of the library whose names end as those of counters do. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export interface MetricsText {
  contentType: string;
  text: string;
}

/** Answers with all metrics and those of the process. */
export type ReadMetrics = () => Promise<MetricsText>;

/** From now on what happens is measured too. */
export function createMetricsRegistry(
  metrics: readonly Metric[],
  log: Logger,
  timeoutMs = readTimeoutMs,
): ReadMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const failures = new Counter({
    name: 'pult_metric_read_failures_total',
    help: 'Metrics that were left out of an answer because they could not be read',
    registers: [registry],
  });
  /** Those that could not be read the last time: the log has a line when that begins. */
  const failing = new Set<string>();

  async function readSamples(metric: ReadMetric): Promise<readonly Sample[]> {
    try {
      const samples = await withTimeout(metric.read(), timeoutMs);
      failing.delete(metric.name);
      return samples;
    } catch (error) {
      failures.inc();
      if (!failing.has(metric.name)) log.warn({ err: error, metric: metric.name }, 'metric not read');
      failing.add(metric.name);
      return [];
    }
  }

  function register(metric: Metric): void {
    const { name, help } = metric;
    const described = { name, help, labelNames: [...(metric.labels ?? [])], registers: [registry] };
    if (metric.type === 'histogram') {
      const histogram = new Histogram({ ...described, buckets: [...metric.buckets] });
      metric.observe((labels, value) => histogram.observe(labels, value));
      return;
    }
    if (metric.type === 'gauge') {
      const gauge = new Gauge({
        ...described,
        async collect() {
          const samples = await readSamples(metric);
          gauge.reset();
          // Without labels it would say 0 of what there is not.
          if (described.labelNames.length === 0) gauge.remove();
          for (const { labels = {}, value } of samples) gauge.set(labels, value);
        },
      });
      return;
    }
    const counter = new Counter({
      ...described,
      async collect() {
        const samples = await readSamples(metric);
        counter.reset();
        if (described.labelNames.length === 0) counter.remove();
        for (const { labels = {}, value } of samples) counter.inc(labels, value);
      },
    });
  }
  for (const metric of metrics) register(metric);

  let reading: Promise<string> | undefined;
  return async () => {
    // Two who ask at once get one answer: each look costs the database the same.
    reading ??= registry.metrics().finally(() => {
      reading = undefined;
    });
    return { contentType: registry.contentType, text: await reading };
  };
}

async function withTimeout<T>(work: T | Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
