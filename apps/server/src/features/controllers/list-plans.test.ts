import { controllerOrderings } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScope } from '../../platform/access/index.ts';
import type { ControllerFilters } from './controller-filters.repository.ts';
import { createControllersRepository } from './controllers.repository.ts';
import { fillFleet } from './large-fleet.fixture.ts';

/** How PostgreSQL finds a page of a large fleet among fleets of others. */

const size = 21_000;
let server: TestServer;
let user: TestUser;
let organization: string;
let group: string;

beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser();
  organization = await server.createOrganization(user);
  await fillFleet(server.db, organization, size);
  const row = await server.db
    .selectFrom('groups')
    .select('id')
    .where('name', '=', 'group 12')
    .executeTakeFirstOrThrow();
  group = row.id;
});
afterAll(() => server.close());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const child of plan.Plans ?? []) yield* nodesOf(child);
}

/** The plans of the statements by which the repository reads the page, run for real. */
async function plansOf(filters: ControllerFilters, page: { ordering?: string; offset?: number }) {
  const nodes: RootOperationNode[] = [];
  const capture: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const scope = createScope({ userId: user.id, mayEnterTotpOrganizations: true }, 'controllers.read');
  const { ordering = '', offset = 0 } = page;
  const key = controllerOrderings.find((each) => ordering.endsWith(each));
  const orderBy = key ? [{ key, descending: ordering.startsWith('-') }] : [];
  const asked = { organization_id: organization, ...filters };
  const repository = createControllersRepository(server.db.withPlugin(capture));
  const found = await repository.listControllers(scope, asked, { limit: 25, offset, orderBy });
  const plans: Plan[] = [];
  for (const node of nodes) {
    const { sql, parameters } = server.db.getExecutor().compileQuery(node, { queryId: 'plan' });
    const explain = CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]);
    const { rows } = await server.db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain);
    plans.push(...rows.map((row) => row['QUERY PLAN'][0].Plan));
  }
  return { found, all: plans.flatMap((plan) => [...nodesOf(plan)]) };
}

/** Rows of controllers that were looked at, the fitting and the others. */
function countRead(nodes: readonly Plan[]): number {
  return nodes
    .filter((node) => node['Relation Name'] === 'controllers')
    .reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    );
}

const scans = (nodes: readonly Plan[]) =>
  nodes.filter((node) => node['Node Type'].includes('Seq Scan')).map((node) => node['Relation Name']);

describe('a page of the list', () => {
  it.each(controllerOrderings.flatMap((key) => [key, `-${key}`]))(
    'a page of the list by %s is read off an index, no more rows than it shows',
    async (ordering) => {
      const { found, all } = await plansOf({}, { ordering });
      expect(found).toHaveLength(25);
      expect(scans(all)).not.toContain('controllers');
      expect(countRead(all)).toBeLessThan(500);
    },
  );

  it.each<[string, ControllerFilters]>([
    ['serial_number', { serial_number: 'L1999' }],
    ['description', { description: 'c4ca4238' }],
    ['group_name', { group_name: 'group 777' }],
    ['a box', { latitude_min: 10, latitude_max: 10.5, longitude_min: 0, longitude_max: 90 }],
    ['status', { status: ['offline'] }],
    ['a rare kind of connection', { connection_kind: ['ssh'] }],
    ['ungrouped', { ungrouped: true }],
    ['without coordinates', { located: false }],
  ])('a page of the list with the filter %s needs no scan of the whole table', async (_, filters) => {
    const { all } = await plansOf(filters, {});
    expect(scans(all)).not.toContain('controllers');
    expect(countRead(all)).toBeLessThan(size / 10);
  });

  it.each(['serial_number', '-serial_number', 'status', '-last_seen_at', 'activated_at'])(
    'far behind by %s passes over the index alone, not over the rows',
    async (ordering) => {
      const { found, all } = await plansOf({}, { ordering, offset: 12_000 });
      expect(found).toHaveLength(25);
      const long = all.filter(
        (node) => node['Relation Name'] === 'controllers' && node['Actual Rows'] >= 12_000,
      );
      expect(new Set(long.map((node) => node['Node Type']))).toEqual(new Set(['Index Only Scan']));
    },
  );

  // How many controllers the groups of a search have is not known before: the order's own index may be walked instead.
  it.each([['something', 'c4ca4238'] as const, ['nothing', 'nowhere'] as const])(
    'a page of the list with a search that finds %s needs no scan of the whole table',
    async (_, search) => {
      const { all } = await plansOf({ search }, {});
      expect(scans(all)).not.toContain('controllers');
    },
  );

  it('a page of the list of a group needs no scan of the whole table', async () => {
    const { found, all } = await plansOf({ group_ids: [group] }, { ordering: 'description' });
    expect(found.length).toBeGreaterThan(0);
    expect(scans(all)).not.toContain('controllers');
    expect(countRead(all)).toBeLessThan(500);
  });
});

it('the check sees a scan of the whole table', async () => {
  const { rows } = await server.db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    CompiledQuery.raw(
      'explain (analyze, format json) select * from controllers where model <> serial_number',
    ),
  );
  const nodes = rows.flatMap((row) => [...nodesOf(row['QUERY PLAN'][0].Plan)]);
  expect(scans(nodes)).toContain('controllers');
  expect(countRead(nodes)).toBeGreaterThanOrEqual(size);
});
