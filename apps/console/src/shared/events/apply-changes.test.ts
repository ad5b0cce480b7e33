import type { OrganizationEvent } from '@pult/contract';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { queryKeys } from '../api/query-keys.ts';
import { applyChanges, dependsOnStatus } from './apply-changes.ts';

const statusOf = (serialNumber: string, status: 'online' | 'offline' = 'online') =>
  ({
    type: 'controller.status',
    serialNumber,
    status,
    statusReason: 'link',
    statusSince: '2026-01-01T00:00:00Z',
    lastSeenAt: '2026-01-01T00:00:00Z',
  }) as const;
const staleAfter = (...changes: OrganizationEvent[]) =>
  [...applyChanges(new QueryClient(), changes)].toSorted();

test('a controller whose device has left is seen as detached at once, until it is online again', () => {
  const client = new QueryClient();
  const detail = queryKeys.controllers.detail('A1');
  client.setQueryData(detail, { serialNumber: 'A1', status: 'online', detachedAt: null });
  const left = { ...statusOf('A1', 'offline'), statusReason: 'detached' } as const;
  applyChanges(client, [left]);
  expect(client.getQueryData(detail)).toMatchObject({ status: 'offline', detachedAt: left.statusSince });
  applyChanges(client, [statusOf('A1')]);
  expect(client.getQueryData(detail)).toMatchObject({ status: 'online', detachedAt: null });
});

test('changed statuses are seen at once in the views and in every list that has the controllers', () => {
  const client = new QueryClient();
  const detail = queryKeys.controllers.detail('A1');
  const list = queryKeys.controllers.list({ organization_id: 'one' });
  const other = queryKeys.controllers.list({ organization_id: 'two' });
  const b2 = { serialNumber: 'B2', status: 'offline' };
  const withoutThem = { count: 1, results: [b2] };
  client.setQueryData(detail, { serialNumber: 'A1', status: 'offline', description: 'Pump' });
  client.setQueryData(list, {
    count: 3,
    results: [{ serialNumber: 'A1', status: 'offline' }, b2, { serialNumber: 'C3', status: 'online' }],
  });
  client.setQueryData(other, withoutThem);

  expect([...applyChanges(client, [statusOf('A1'), statusOf('C3', 'offline')])]).toEqual([
    'counts',
    'listsOfStatus',
    'treesOfStatus',
  ]);

  expect(client.getQueryData(detail)).toMatchObject({ status: 'online', description: 'Pump' });
  expect(client.getQueryData(list)).toMatchObject({
    count: 3,
    results: [{ status: 'online' }, b2, { status: 'offline' }],
  });
  expect(client.getQueryData(other)).toBe(withoutThem);
});

test('five hundred changes at once are shown by one render', async () => {
  const client = new QueryClient();
  const queryKey = queryKeys.controllers.list({ organization_id: 'one' });
  const serialNumbers = Array.from({ length: 5000 }, (_, number) => `A${number}`);
  client.setQueryData(queryKey, {
    count: 5000,
    results: serialNumbers.map((serialNumber) => ({ serialNumber, status: 'offline' })),
  });
  const onRender = vi.fn();
  const stop = new QueryObserver(client, { queryKey, staleTime: Number.POSITIVE_INFINITY }).subscribe(
    onRender,
  );
  onRender.mockClear();
  applyChanges(
    client,
    serialNumbers.slice(0, 500).map((serialNumber) => statusOf(serialNumber)),
  );
  await vi.waitFor(() => expect(onRender).toHaveBeenCalled());
  expect(onRender).toHaveBeenCalledOnce();
  expect(onRender.mock.lastCall?.[0].data.results.slice(498, 502)).toMatchObject(
    ['online', 'online', 'offline', 'offline'].map((status) => ({ status })),
  );
  stop();
});

test('a controller that nobody has looked at is not made up', () => {
  const client = new QueryClient();
  applyChanges(client, [statusOf('A1')]);
  expect(client.getQueryData(queryKeys.controllers.detail('A1'))).toBeUndefined();
});

test('a controller that comes or goes changes lists, counts, trees and the total', () => {
  for (const type of ['controller.activated', 'controller.deleted'] as const) {
    expect(staleAfter({ type, serialNumber: 'A1' })).toEqual(['counts', 'lists', 'total', 'trees']);
  }
});

test('a changed group changes the tree, and lists, counts and open views that show or filter by it', () => {
  const event = { type: 'group.changed', change: 'updated', groupId: null } as const;
  expect(staleAfter(event)).toEqual(['counts', 'details', 'lists', 'trees']);
});

test('a changed controller may have gone to another group, so that groups are counted anew', () => {
  expect(staleAfter({ type: 'controller.updated', serialNumber: 'A1' })).toContain('trees');
});

test('several changes make stale what each of them does; one of a newer server nothing', () => {
  expect(staleAfter(statusOf('A1'), { type: 'controller.updated', serialNumber: 'A1' })).toEqual([
    'counts',
    'lists',
    'listsOfStatus',
    'trees',
    'treesOfStatus',
  ]);
  expect(staleAfter({ type: 'something.newer' } as never)).toEqual([]);
});

test('a changed status asks only for those trees that count by status', () => {
  const { tree, treesOfStatus } = queryKeys.groups;
  const isUnder = (key: readonly unknown[]) => treesOfStatus.every((part, index) => key[index] === part);
  expect(isUnder(tree({ organization_id: 'one', status: 'online' }))).toBe(true);
  expect(isUnder(tree({ organization_id: 'one' }))).toBe(false);
});

test('a changed status asks only for those lists that filter or order by it', () => {
  const client = new QueryClient();
  const depends = (filters: Record<string, string>) => {
    const queryKey = queryKeys.controllers.list(filters);
    client.setQueryData(queryKey, { count: 0, results: [] });
    const query = client.getQueryCache().find({ queryKey });
    return query && dependsOnStatus(query);
  };
  expect(depends({ organization_id: 'one', status: 'online' })).toBe(true);
  expect(depends({ organization_id: 'one', ordering: '-last_seen_at' })).toBe(true);
  expect(depends({ organization_id: 'one', ordering: 'serial_number', search: 'pump' })).toBe(false);
});

test.each(['controller.updated', 'controller.deleted'] as const)(
  'the open view asks again after %s',
  (type) => {
    const client = new QueryClient();
    const detail = queryKeys.controllers.detail('A1');
    client.setQueryData(detail, { serialNumber: 'A1' });
    applyChanges(client, [{ type, serialNumber: 'a1' }]);
    expect(client.getQueryState(detail)?.isInvalidated).toBe(true);
  },
);

test('an answer that was on its way when the status changed does not bring the old one back', async () => {
  const client = new QueryClient();
  const detail = queryKeys.controllers.detail('A1');
  const list = queryKeys.controllers.list({ organization_id: 'one' });
  const answers: ((status: string) => void)[] = [];
  const queryFn = () =>
    new Promise((resolve) => {
      answers.push((status) => resolve({ serialNumber: 'A1', status, results: [] }));
    });
  const stops = [detail, list].map((queryKey) =>
    new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {}),
  );
  expect(answers).toHaveLength(2);
  expect(applyChanges(client, [statusOf('A1', 'offline')]).has('lists')).toBe(true);
  for (const answer of answers) answer('online');
  // Asked once more.
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  answers.at(-1)?.('offline');
  await vi.waitFor(() => expect(client.getQueryData(detail)).toMatchObject({ status: 'offline' }));
  for (const stop of stops) stop();
});

test('lost controllers and changed rules are read anew where they are shown', () => {
  expect(staleAfter({ type: 'alerts.changed', change: 'rules' })).toEqual(['alerts']);
});
