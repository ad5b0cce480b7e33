import { z } from 'zod';
import type { MetricPoint, MetricQuery, MetricSample } from './metrics-store.ts';

const answerSchema = z.object({
  data: z.object({
    result: z.array(z.object({ values: z.array(z.tuple([z.number(), z.string()])) })),
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
  const root = base.href.replace(/\/+$/, '');

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

    async remove(controllerIds: readonly string[]): Promise<void> {
      for (const controllerId of controllerIds) {
        const match = new URLSearchParams({ 'match[]': `{controller=${label(controllerId)}}` });
        await call('/api/v1/admin/tsdb/delete_series', match);
      }
    },
  };
}
export type VictoriaClient = ReturnType<typeof createVictoriaClient>;
