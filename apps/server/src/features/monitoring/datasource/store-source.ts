import type { Core } from '../../../platform/core.ts';
import { type MetricName, metricNames } from '../../devices/index.ts';
import type { MetricsStore } from '../../telemetry/index.ts';
import type { MeasuredController, MeasuredControllersRepository } from './measured-controllers.repository.ts';
import { fail, type MetricsSource, type SourceCall, succeed } from './metrics-source.ts';
import { BadSelector, parseSelector } from './selector.ts';

/** Lines of one chart; each is a query of its own to the store. */
const maxSeries = 100;
/** Selectors of one call; likewise. */
const maxSelectors = 100;
/** No time of a measurement, and one that every calendar knows. */
const latest = Date.UTC(10_000, 0);
/** As many as Prometheus itself answers. */
const maxPoints = 11_000;
/** How old a value may be that still counts as the present one. */
const lookbackMs = 5 * 60_000;
const labelNames = ['__name__', 'controller', 'organization', 'serial'];
const prefix = 'pult_';

/** `1700000000`, `1700000000.5`, or a time of ISO 8601, as Prometheus takes them. Milliseconds. */
function readTime(text: string | null, otherwise: number): number {
  if (text === null) return otherwise;
  const time = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (!(time >= 0 && time < latest)) throw new BadSelector('a time cannot be read');
  return Math.round(time);
}

/** `15`, `15.5`, `15s`, `5m`: milliseconds. */
function readStep(text: string | null): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text ?? '') ?? [];
  const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3600_000, d: 24 * 3600_000 };
  const step = Number(number) * (units[unit] ?? Number.NaN);
  if (!(step >= 1000)) throw new BadSelector('the step must be a second or more');
  return Math.round(step);
}

function isMetricName(name: string): name is MetricName {
  return metricNames.some((known) => known === name);
}

/**
 * Prometheus' calls answered out of the store of measurements: plain selectors alone, whose points are averages of a
 * step. Controllers are looked up by their organization, and the store is asked for those and no others.
 */
export function createStoreSource(
  { clock }: Core,
  dependencies: {
    store: Pick<MetricsStore, 'query'>;
    controllers: MeasuredControllersRepository;
  },
): MetricsSource {
  const { store, controllers } = dependencies;

  const labelsOf = (
    name: string,
    { controllerId, serialNumber }: MeasuredController,
    organizationId: string,
  ) => ({
    __name__: prefix + name,
    controller: controllerId,
    organization: organizationId,
    serial: serialNumber,
  });

  async function findSeries({ organizationId }: SourceCall, text: string) {
    const { metric, serials } = parseSelector(text);
    if (metric === undefined) throw new BadSelector('the selector names no figure, such as pult_cpu_usage');
    const name = metric.startsWith(prefix) ? metric.slice(prefix.length) : '';
    if (!isMetricName(name)) return [];
    const found = await controllers.list(organizationId, serials, maxSeries + 1);
    if (found.length > maxSeries) throw new BadSelector(`choose ${maxSeries} controllers at most`);
    return found.map((controller) => ({
      name,
      controllerId: controller.controllerId,
      labels: labelsOf(name, controller, organizationId),
    }));
  }

  async function queryRange(call: SourceCall) {
    const now = clock.now().getTime();
    const step = readStep(call.params.get('step'));
    const start = readTime(call.params.get('start'), now - 3600_000);
    const end = readTime(call.params.get('end'), now);
    if (end < start || (end - start) / step > maxPoints) {
      throw new BadSelector(`from start to end there must be ${maxPoints} steps at most`);
    }
    const result = [];
    for (const { name, controllerId, labels } of await findSeries(call, call.params.get('query') ?? '')) {
      const range = { start: new Date(start), stop: new Date(end + 1), bucketMs: step };
      const points = await store.query({ controllerId, name, ...range });
      if (points.length === 0) continue;
      result.push({
        metric: labels,
        values: points.map(({ at, value }) => [at.getTime() / 1000, String(value)]),
      });
    }
    return succeed({ resultType: 'matrix', result });
  }

  async function queryInstant(call: SourceCall) {
    const time = readTime(call.params.get('time'), clock.now().getTime());
    const result = [];
    for (const { name, controllerId, labels } of await findSeries(call, call.params.get('query') ?? '')) {
      const range = { start: new Date(time - lookbackMs), stop: new Date(time + 1), bucketMs: 60_000 };
      const newest = (await store.query({ controllerId, name, ...range })).at(-1);
      if (newest) result.push({ metric: labels, value: [time / 1000, String(newest.value)] });
    }
    return succeed({ resultType: 'vector', result });
  }

  async function listValues({ organizationId }: SourceCall, label: string) {
    if (label === '__name__') return succeed(metricNames.map((name) => prefix + name));
    if (label === 'organization') return succeed([organizationId]);
    if (label !== 'serial' && label !== 'controller') return succeed([]);
    const all = await controllers.list(organizationId, undefined, undefined);
    return succeed(
      all.map(({ serialNumber, controllerId }) => (label === 'serial' ? serialNumber : controllerId)),
    );
  }

  async function listSeries(call: SourceCall) {
    const selectors = call.params.getAll('match[]');
    if (selectors.length > maxSelectors) throw new BadSelector(`give ${maxSelectors} selectors at most`);
    const found = [];
    for (const text of selectors) found.push(...(await findSeries(call, text)));
    return succeed(found.map(({ labels }) => labels));
  }

  async function answer(call: SourceCall) {
    const label = /^label\/(\w+)\/values$/.exec(call.path)?.[1];
    if (label !== undefined) return listValues(call, label);
    if (call.path === 'query_range') return queryRange(call);
    if (call.path === 'query') return queryInstant(call);
    if (call.path === 'series') return listSeries(call);
    if (call.path === 'labels') return succeed(labelNames);
    if (call.path === 'metadata') return succeed({});
    return undefined;
  }

  return {
    answer: (call) =>
      answer(call).catch((error: unknown) => {
        if (error instanceof BadSelector) return fail(400, 'bad_data', error.message);
        throw error;
      }),
  };
}
