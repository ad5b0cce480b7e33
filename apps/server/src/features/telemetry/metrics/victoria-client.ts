import { z } from 'zod';
import { type MetricName, metricNames } from '../../devices/index.ts';
import type {
  FleetFigure,
  MetricPoint,
  MetricQuery,
  MetricSample,
  WorstFigure,
  WorstQuery,
} from './metrics-store.ts';

const answerSchema = z.object({
  data: z.object({
    result: z.array(z.object({ values: z.array(z.tuple([z.number(), z.string()])) })),
  }),
});

const instantSchema = z.object({
  data: z.object({
    result: z.array(
      z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) }),
    ),
  }),
});

/** Labels and text format of Prometheus: a quote, a backslash or a line end would break out of the label. */
function label(text: string): string {
  return `"${text.replace(/["\\\n]/g, '_')}"`;
}

/** One line for each figure, as `/api/v1/import/prometheus` takes it. */
export function formatSamples(samples: readonly MetricSample[]): string {
  return samples
    .flatMap(({ controllerId, serialNumber, organizationId, at, values }) => {
      const labels = `controller=${label(controllerId)},serial=${label(serialNumber)},organization=${label(organizationId)}`;
      return Object.entries(values).map(
        ([name, value]) => `pult_${name}{${labels}} ${value} ${at.getTime()}\n`,
      );
    })
    .join('');
}

/** VictoriaMetrics by its HTTP API. `url` may hold a user and a password. */
export function createVictoriaClient(url: string, timeoutMs: number) {
  const base = new URL(url);
  const { username, password } = base;
  const authorization =
    username === ''
      ? undefined
      : `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
  base.username = '';
  base.password = '';
  const root = base.href.replace(/(?<!\/)\/+$/, '');

  async function call(path: string, body: string | URLSearchParams): Promise<string> {
    const response = await fetch(root + path, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(authorization ? { headers: { authorization } } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`VictoriaMetrics answered ${response.status}: ${text.slice(0, 200)}`);
    return text;
  }

  /** One value of each series, of what came before `stop`. */
  async function readInstant(query: string, stop: Date) {
    const time = String((stop.getTime() - 1) / 1000);
    const parameters = new URLSearchParams({ query, time, nocache: '1', latency_offset: '1ms' });
    const { data } = instantSchema.parse(JSON.parse(await call('/api/v1/query', parameters)));
    return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  /** Of each organization; one figure after another, as all at once would be seven times as many series. */
  async function summarizeOne(name: MetricName, start: Date, stop: Date): Promise<FleetFigure[]> {
    const averages = `avg_over_time(pult_${name}[${stop.getTime() - start.getTime()}ms])`;
    const found = await readInstant(
      `union(
        quantiles("figure", 0, 0.5, 1, ${averages}) by (organization),
        label_set(count(${averages}) by (organization), "figure", "count")
      )`,
      stop,
    );
    const organizations = new Map<string, Map<string, number>>();
    for (const { labels, value } of found) {
      const { organization = '', figure = '' } = labels;
      const figures = organizations.get(organization) ?? new Map<string, number>();
      organizations.set(organization, figures.set(figure, value));
    }
    return [...organizations].flatMap(([organizationId, figures]) => {
      const [controllers, lowest, median, highest] = ['count', '0', '0.5', '1'].map((key) =>
        figures.get(key),
      );
      if (controllers === undefined || lowest === undefined) return [];
      if (median === undefined || highest === undefined) return [];
      return [{ organizationId, name, controllers, lowest, median, highest }];
    });
  }

  return {
    async write(lines: string): Promise<void> {
      await call('/api/v1/import/prometheus', lines);
    },

    async query({ controllerId, name, start, stop, bucketMs }: MetricQuery): Promise<MetricPoint[]> {
      const first = Math.floor(start.getTime() / bucketMs) * bucketMs;
      // A figure at a time is of the bucket that ends there, its beginning not included: a millisecond before.
      const seconds = (bucketStart: number) => String((bucketStart + bucketMs - 1) / 1000);
      const last = Math.floor((stop.getTime() - 1) / bucketMs) * bucketMs;
      const answer = await call(
        '/api/v1/query_range',
        new URLSearchParams({
          query: `avg_over_time(pult_${name}{controller=${label(controllerId)}}[${bucketMs}ms])`,
          start: seconds(first),
          end: seconds(last),
          step: `${bucketMs}ms`,
          // What came a moment ago counts, and the times are those that were asked for.
          nocache: '1',
          latency_offset: '1ms',
        }),
      );
      const { data } = answerSchema.parse(JSON.parse(answer));
      return (data.result[0]?.values ?? []).map(([time, value]) => ({
        at: new Date(Math.round(time * 1000) + 1 - bucketMs),
        value: Number(value),
      }));
    },

    async summarize(start: Date, stop: Date): Promise<FleetFigure[]> {
      const figures: FleetFigure[] = [];
      for (const name of metricNames) figures.push(...(await summarizeOne(name, start, stop)));
      return figures;
    },

    async listWorst({
      organizationId,
      name,
      start,
      stop,
      isLowWorst,
      limit,
    }: WorstQuery): Promise<WorstFigure[]> {
      const period = `${stop.getTime() - start.getTime()}ms`;
      const newest = `last_over_time(pult_${name}{organization=${label(organizationId)}}[${period}])`;
      const found = await readInstant(`${isLowWorst ? 'bottomk' : 'topk'}(${limit}, ${newest})`, stop);
      return found
        .map(({ labels, value }) => ({ controllerId: labels.controller ?? '', value }))
        .sort((a, b) => (isLowWorst ? a.value - b.value : b.value - a.value));
    },

    async remove(controllerIds: readonly string[]): Promise<void> {
      for (const controllerId of controllerIds) {
        const match = new URLSearchParams({ 'match[]': `{controller=${label(controllerId)}}` });
        await call('/api/v1/admin/tsdb/delete_series', match);
      }
    },
  };
}
export type VictoriaClient = ReturnType<typeof createVictoriaClient>;
