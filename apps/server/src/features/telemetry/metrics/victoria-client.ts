import { z } from 'zod';
import { type MetricName, metricNames } from '../../devices/index.ts';
import type {
  FleetFigure,
  MetricPoint,
  MetricQuery,
  MetricSample,
  PartFigure,
  PartQuery,
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

const rangeSchema = z.object({
  data: z.object({
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        values: z.array(z.tuple([z.number(), z.string()])),
      }),
    ),
  }),
});

/** VictoriaMetrics takes queries of 16 kB, and each name stands in one twice. */
const controllersPerQuery = 200;

/** Of the same moments by several queries. A median of medians, each as heavy as it has controllers, comes close to that of all. */
function mergeFigures(figures: readonly PartFigure[]): PartFigure[] {
  const merged = new Map<number, PartFigure>();
  for (const figure of figures) {
    const known = merged.get(figure.at.getTime());
    if (!known) {
      merged.set(figure.at.getTime(), figure);
      continue;
    }
    const controllers = known.controllers + figure.controllers;
    merged.set(figure.at.getTime(), {
      at: figure.at,
      controllers,
      lowest: Math.min(known.lowest, figure.lowest),
      median: (known.median * known.controllers + figure.median * figure.controllers) / controllers,
      highest: Math.max(known.highest, figure.highest),
    });
  }
  return [...merged.values()].sort((a, b) => a.at.getTime() - b.at.getTime());
}

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

  /** Of so many controllers as one query names. */
  async function queryNamed(
    { organizationId, name, start, stop, bucketMs }: Omit<PartQuery, 'controllerIds'>,
    controllerIds: readonly string[],
  ): Promise<PartFigure[]> {
    const named = `organization=${label(organizationId)},controller=~${label(controllerIds.join('|'))}`;
    const averages = `avg_over_time(pult_${name}{${named}}[${bucketMs}ms])`;
    const seconds = (bucketStart: number) => String((bucketStart + bucketMs - 1) / 1000);
    const answer = await call(
      '/api/v1/query_range',
      new URLSearchParams({
        query: `union(
          quantiles("figure", 0, 0.5, 1, ${averages}), label_set(count(${averages}), "figure", "count"))`,
        start: seconds(Math.floor(start.getTime() / bucketMs) * bucketMs),
        end: seconds(Math.floor((stop.getTime() - 1) / bucketMs) * bucketMs),
        step: `${bucketMs}ms`,
        nocache: '1',
        latency_offset: '1ms',
      }),
    );
    const moments = new Map<number, Record<string, number>>();
    for (const { metric, values } of rangeSchema.parse(JSON.parse(answer)).data.result) {
      for (const [time, value] of values) {
        const at = Math.round(time * 1000) + 1 - bucketMs;
        moments.set(at, { ...moments.get(at), [metric.figure ?? '']: Number(value) });
      }
    }
    return [...moments].flatMap(([at, { count: controllers, 0: lowest, '0.5': median, 1: highest }]) =>
      controllers === undefined || lowest === undefined || median === undefined || highest === undefined
        ? []
        : [{ at: new Date(at), controllers, lowest, median, highest }],
    );
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
      among,
    }: WorstQuery): Promise<WorstFigure[]> {
      const period = `${stop.getTime() - start.getTime()}ms`;
      const newest = `last_over_time(pult_${name}{organization=${label(organizationId)}}[${period}])`;
      // All of them where only some count: so many names are no query.
      const ranked = `${isLowWorst ? 'bottomk' : 'topk'}(${limit}, ${newest})`;
      const found = await readInstant(among ? newest : ranked, stop);
      const wanted = among && new Set(among);
      return found
        .filter(({ labels }) => wanted === undefined || wanted.has(labels.controller ?? ''))
        .map(({ labels, value }) => ({ controllerId: labels.controller ?? '', value }))
        .sort((a, b) => (isLowWorst ? a.value - b.value : b.value - a.value))
        .slice(0, limit);
    },

    async queryPart({ controllerIds, ...query }: PartQuery): Promise<PartFigure[]> {
      const parts: PartFigure[][] = [];
      for (let start = 0; start < controllerIds.length; start += controllersPerQuery) {
        parts.push(await queryNamed(query, controllerIds.slice(start, start + controllersPerQuery)));
      }
      return mergeFigures(parts.flat());
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
