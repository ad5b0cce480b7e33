import { poll, startVictoriaMetrics, type VictoriaMetrics } from '@pult/testkit';
import { createTestController, createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MetricName, metricNames } from '../devices/index.ts';
import { createMetricSamplesRepository } from '../telemetry/index.ts';
import { createDatasourceTokens } from './datasource/datasource-token.ts';

/** Two organizations with a controller each, in both kinds of store. */

const grafana = {
  GRAFANA_URL: 'http://127.0.0.1:1',
  GRAFANA_ADMIN_USER: 'admin',
  GRAFANA_ADMIN_PASSWORD: 'grafana-of-a-test-7',
};
const minute = 60_000;
const start = new Date(Math.floor(Date.now() / minute) * minute - 15 * minute);
let victoria: VictoriaMetrics;
let server: TestServer;
let organizations: [string, string];

beforeAll(async () => {
  victoria = await startVictoriaMetrics();
});
afterAll(() => victoria?.stop());

const noFigures = Object.fromEntries(metricNames.map((name) => [name, null])) as Record<MetricName, null>; // of all names

/** Straight into the store: how it gets there is telemetry's affair. */
async function write(
  kind: 'PostgreSQL' | 'VictoriaMetrics',
  sample: { controllerId: string; serialNumber: string; organizationId: string; at: Date; value: number },
): Promise<void> {
  const { controllerId, serialNumber, organizationId, at, value } = sample;
  if (kind === 'PostgreSQL') {
    const samples = createMetricSamplesRepository(server.db);
    // Yesterday's, where it is just past midnight.
    await samples.createDay(at.toISOString().slice(0, 10));
    const row = { ...noFigures, controller_id: controllerId, at, cpu_usage: value };
    await server.db.insertInto('metric_samples').values(row).execute();
    return;
  }
  const labels = `controller="${controllerId}",serial="${serialNumber}",organization="${organizationId}"`;
  const body = `pult_cpu_usage{${labels}} ${value} ${at.getTime()}\n`;
  await fetch(`${victoria.url}/api/v1/import/prometheus`, { method: 'POST', body });
}

type Answer = {
  status: string;
  errorType?: string;
  data: { result: { metric: Record<string, string>; values: [number, string][] }[] } & string[];
};

async function ask(
  path: string,
  params: [string, string][],
  organization = organizations[0],
  token?: string,
) {
  const password = token ?? createDatasourceTokens(server.secrets.encryptionKey).create(organization);
  const answer = await server.request('POST', `/api-grafana/api/v1/${path}`, {
    headers: {
      authorization: `Basic ${Buffer.from(`${organization}:${password}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: String(new URLSearchParams(params)),
  });
  return { status: answer.status, body: answer.body as Answer }; // by Prometheus' documentation
}

const range: [string, string][] = [
  ['start', String(start.getTime() / 1000)],
  ['end', String(start.getTime() / 1000 + 600)],
  ['step', '60'],
];
const query = (text: string, organization?: string) =>
  ask('query_range', [['query', text], ...range], organization);
const serialsIn = ({ body }: Awaited<ReturnType<typeof ask>>) =>
  body.data.result.map(({ metric }) => metric.serial);

describe.each(['PostgreSQL', 'VictoriaMetrics'] as const)('the data source in %s', (kind) => {
  beforeAll(async () => {
    server = await createTestServer({
      environment: { ...grafana, ...(kind === 'PostgreSQL' ? {} : { VICTORIAMETRICS_URL: victoria.url }) },
    });
    // Makes the days of the partitions.
    await server.server.jobs.find(({ name }) => name === 'maintain-metrics')?.run();
    const owner = await server.createUser();
    organizations = [await server.createOrganization(owner), await server.createOrganization(owner)];
    for (const [index, organizationId] of organizations.entries()) {
      const serialNumber = `${kind.toUpperCase()}-${index}`;
      const { id } = await createTestController(server, { organizationId, serialNumber });
      for (let step = 0; step < 10; step += 1) {
        const at = new Date(start.getTime() + step * minute);
        await write(kind, { controllerId: id, serialNumber, organizationId, at, value: 10 * index + step });
      }
    }
    if (kind === 'VictoriaMetrics') {
      const isThere = async () => {
        await victoria.flush();
        return serialsIn(await query('pult_cpu_usage')).length > 0;
      };
      await poll(isThere, { what: 'the measurements are there' });
    }
  });
  afterAll(() => server.close());

  it('answers the query of the dashboard', async () => {
    const { status, body } = await query(`pult_cpu_usage{serial=~"(${kind.toUpperCase()}-0|OTHER)"}`);
    expect([status, body.status]).toEqual([200, 'success']);
    const [series] = body.data.result;
    expect(series?.metric).toMatchObject({
      serial: `${kind.toUpperCase()}-0`,
      organization: organizations[0],
    });
    expect(series?.values.length).toBeGreaterThanOrEqual(10);
  });

  it.each([
    'pult_cpu_usage',
    '{__name__="pult_cpu_usage"}',
    'pult_cpu_usage{serial=~".+"}',
    'pult_cpu_usage{serial="POSTGRESQL-1"}',
    'pult_cpu_usage{serial="VICTORIAMETRICS-1"}',
    'pult_cpu_usage{organization=~".*"}',
    'pult_cpu_usage{organization="x"} or pult_cpu_usage',
  ])('shows nothing of another organization by %s', async (text) => {
    for (const [index, organization] of organizations.entries()) {
      const answer = await query(text, organization);
      const serials = answer.status === 200 ? serialsIn(answer) : [];
      expect(serials.filter((serial) => !serial?.endsWith(`-${index}`))).toEqual([]);
    }
  });

  it('shows nothing of another organization by other calls and parameters', async () => {
    const [own, other] = organizations;
    const tricks: [string, string][] = [
      ['extra_label', `organization=${other}`],
      ['extra_filters[]', `{organization="${other}"}`],
      ['extra_filters', `{organization="${other}"}`],
    ];
    const around = await ask('query_range', [['query', 'pult_cpu_usage'], ...range, ...tricks], own);
    expect(serialsIn(around)).toEqual([`${kind.toUpperCase()}-0`]);
    const times = range.slice(0, 2);
    const values = await ask('label/serial/values', times, own);
    expect(values.body.data).toEqual([`${kind.toUpperCase()}-0`]);
    const series = await ask('series', [['match[]', 'pult_cpu_usage'], ...times], own);
    expect(JSON.stringify(series.body)).not.toContain(other);
  });

  it('the data source is closed to a token of another organization, and to none', async () => {
    const [own, other] = organizations;
    const foreign = createDatasourceTokens(server.secrets.encryptionKey).create(other);
    for (const token of [foreign, '', 'x']) {
      expect((await ask('labels', [], own, token)).status).toBe(401);
    }
    expect((await server.request('GET', '/api-grafana/api/v1/labels')).status).toBe(401);
  });

  it.each(['admin/tsdb/delete_series', 'export', 'import', 'federate', 'status/tsdb', '../../metrics'])(
    'the data source does not answer %s',
    async (path) => {
      expect((await ask(path, [['match[]', 'pult_cpu_usage']])).status).toBe(404);
    },
  );
});

describe('with PostgreSQL', () => {
  beforeAll(async () => {
    server = await createTestServer({ environment: grafana });
    const owner = await server.createUser();
    organizations = [await server.createOrganization(owner), await server.createOrganization(owner)];
  });
  afterAll(() => server.close());

  it.each([
    'sum(pult_cpu_usage)',
    'rate(pult_cpu_usage[5m])',
    'pult_cpu_usage{serial!="A"}',
    'pult_cpu_usage{serial=~"A.*"}',
    'pult_cpu_usage{serial="A"',
    '1+1',
    '',
    '{}',
  ])('says that it understands plain selectors alone: %s', async (text) => {
    const { status, body } = await query(text);
    expect([status, body.errorType]).toEqual([400, 'bad_data']);
  });

  it.each<[string, [string, string][]]>([
    ['a serial number that no database takes', [['query', 'pult_cpu_usage{serial="A\0"}'], ...range]],
    [
      'a time beyond all calendars',
      [
        ['query', 'pult_cpu_usage'],
        ['start', '8640000000000'],
        ['end', '8640000000000'],
        ['step', '60'],
      ],
    ],
    [
      'a time before all calendars',
      [
        ['query', 'pult_cpu_usage'],
        ['start', '-271821-04-20T00:00:00Z'],
        ['end', '-271821-04-20T00:00:00Z'],
        ['step', '60'],
      ],
    ],
  ])('answers %s as a bad query', async (_, params) => {
    const { status, body } = await ask('query_range', params);
    expect([status, body.errorType]).toEqual([400, 'bad_data']);
    const instant = await ask(
      'query',
      params.map(([name, value]) => [name === 'start' ? 'time' : name, value]),
    );
    expect([instant.status, instant.body.errorType]).toEqual([400, 'bad_data']);
  });

  it('answers a few selectors of one call, not thousands', async () => {
    const selectors = Array.from({ length: 101 }, (): [string, string] => ['match[]', 'pult_cpu_usage']);
    expect((await ask('series', selectors)).body.errorType).toBe('bad_data');
    expect((await ask('series', selectors.slice(0, 2))).status).toBe(200);
  });

  it('answers at most 11,000 steps', async () => {
    const steps: [string, string][] = [
      ['query', 'pult_cpu_usage'],
      ['start', '0'],
      ['end', '100000'],
      ['step', '1'],
    ];
    expect((await ask('query_range', steps)).body.errorType).toBe('bad_data');
  });
});
