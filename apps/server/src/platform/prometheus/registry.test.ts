import { describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { Counts, type Metric, type ObserveValue, type Sample, sample, shareReading } from './metric.ts';
import { parseMetrics } from './read-metrics.fixture.ts';
import { createMetricsRegistry } from './registry.ts';

const log = createLog('silent');
const read = async (metrics: readonly Metric[], timeoutMs?: number) =>
  parseMetrics((await createMetricsRegistry(metrics, log, timeoutMs)()).text);
const gauge = (
  name: Metric['name'],
  reading: () => readonly Sample[] | Promise<readonly Sample[]>,
): Metric => ({
  name,
  help: 'A figure',
  type: 'gauge',
  read: reading,
});

describe('the registry of metrics', () => {
  it('reads each figure anew, and forgets samples that are no more', async () => {
    const doors = new Counts(['open']);
    let isThere = true;
    const readMetrics = createMetricsRegistry(
      [
        gauge('pult_test_plain', () => (isThere ? sample(7) : [])),
        {
          name: 'pult_test_doors_total',
          help: 'Doors',
          type: 'counter',
          labels: ['way'],
          read: () => doors.read('way'),
        },
      ],
      log,
    );
    doors.add('shut', 2);
    let metrics = parseMetrics((await readMetrics()).text);
    expect(metrics.get('pult_test_plain')).toBe(7);
    expect(metrics.get('pult_test_doors_total{way="open"}')).toBe(0);
    expect(metrics.get('pult_test_doors_total{way="shut"}')).toBe(2);
    isThere = false;
    doors.add('shut');
    metrics = parseMetrics((await readMetrics()).text);
    expect(metrics.has('pult_test_plain')).toBe(false);
    expect(metrics.get('pult_test_doors_total{way="shut"}')).toBe(3);
  });

  it('answers with everything else when one figure fails and another hangs, and counts both', async () => {
    const metrics = await read(
      [
        gauge('pult_test_fails', () => {
          throw new Error('no');
        }),
        gauge('pult_test_hangs', () => new Promise(() => {})),
        gauge('pult_test_well', () => sample(1)),
      ],
      50,
    );
    expect(metrics.has('pult_test_fails')).toBe(false);
    expect(metrics.has('pult_test_hangs')).toBe(false);
    expect(metrics.get('pult_test_well')).toBe(1);
  });

  it('counts the figures that could not be read, in the next answer', async () => {
    const readMetrics = createMetricsRegistry(
      [gauge('pult_test_fails', () => Promise.reject(new Error('no')))],
      log,
    );
    await readMetrics();
    const metrics = parseMetrics((await readMetrics()).text);
    expect(metrics.get('pult_metric_read_failures_total')).toBeGreaterThanOrEqual(1);
  });

  it('measures what happens from then on', async () => {
    let tell: ObserveValue = () => {};
    const readMetrics = createMetricsRegistry(
      [
        {
          name: 'pult_test_seconds',
          help: 'Times',
          type: 'histogram',
          labels: ['way'],
          buckets: [0.1, 1],
          observe(observe) {
            tell = observe;
          },
        },
      ],
      log,
    );
    tell({ way: 'in' }, 0.5);
    const metrics = parseMetrics((await readMetrics()).text);
    expect(metrics.get('pult_test_seconds_bucket{le="0.1",way="in"}')).toBe(0);
    expect(metrics.get('pult_test_seconds_bucket{le="1",way="in"}')).toBe(1);
    expect(metrics.get('pult_test_seconds_sum{way="in"}')).toBe(0.5);
  });

  it('tells of the process: its event loop, memory and processor, in names of gauges that are gauges', async () => {
    const metrics = await read([]);
    expect(metrics.get('nodejs_eventloop_lag_p99_seconds')).toBeTypeOf('number');
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(
      [...metrics.keys()].filter((name) => name.startsWith('nodejs_active_') && name.endsWith('_total')),
    ).toEqual([]);
  });
});

describe('a shared reading', () => {
  it('asks once for all who ask at the same time, and again afterwards', async () => {
    let asked = 0;
    const reading = shareReading(async () => {
      asked += 1;
      return asked;
    });
    expect(await Promise.all([reading(), reading()])).toEqual([1, 1]);
    expect(await reading()).toBe(2);
  });
});
