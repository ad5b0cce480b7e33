import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { queryKeys } from '../api/query-keys.ts';
import { applyEvent } from './apply-event.ts';

const online = {
  type: 'controller.status',
  serialNumber: 'A1',
  status: 'online',
  statusReason: 'link',
  statusSince: '2026-01-01T00:00:00Z',
  lastSeenAt: '2026-01-01T00:00:00Z',
} as const;

test('a changed status is seen at once in the view and in every list that has the controller', () => {
  const client = new QueryClient();
  const detail = queryKeys.controllers.detail('A1');
  const list = queryKeys.controllers.list({ organization_id: 'one' });
  const other = queryKeys.controllers.list({ organization_id: 'two' });
  const b2 = { serialNumber: 'B2', status: 'offline' };
  const withoutIt = { count: 1, results: [b2] };
  client.setQueryData(detail, { serialNumber: 'A1', status: 'offline', description: 'Pump' });
  client.setQueryData(list, { count: 2, results: [{ serialNumber: 'A1', status: 'offline' }, b2] });
  client.setQueryData(other, withoutIt);

  expect(applyEvent(client, online)).toEqual(['counts', 'lists', 'treesOfStatus']);

  expect(client.getQueryData(detail)).toMatchObject({ status: 'online', description: 'Pump' });
  expect(client.getQueryData(list)).toMatchObject({ count: 2, results: [{ status: 'online' }, b2] });
  expect(client.getQueryData(other)).toBe(withoutIt);
});

test('a controller that nobody has looked at is not made up', () => {
  const client = new QueryClient();
  applyEvent(client, online);
  expect(client.getQueryData(queryKeys.controllers.detail('A1'))).toBeUndefined();
});

test('a controller that comes or goes changes lists, counts and the total', () => {
  for (const type of ['controller.activated', 'controller.deleted'] as const) {
    expect(applyEvent(new QueryClient(), { type, serialNumber: 'A1' })).toEqual([
      'counts',
      'lists',
      'total',
      'trees',
    ]);
  }
});

test('a changed group changes the tree, and lists and counts that show or filter by it', () => {
  const event = { type: 'group.changed', change: 'updated', groupId: null } as const;
  expect(applyEvent(new QueryClient(), event)).toEqual(['counts', 'lists', 'trees']);
});

test('a changed status asks only for those trees that count by status', () => {
  const { tree, treesOfStatus } = queryKeys.groups;
  const isUnder = (key: readonly unknown[]) => treesOfStatus.every((part, index) => key[index] === part);
  expect(isUnder(tree({ organization_id: 'one', status: 'online' }))).toBe(true);
  expect(isUnder(tree({ organization_id: 'one' }))).toBe(false);
});

test.each(['controller.updated', 'controller.deleted'] as const)(
  'after %s the open view asks again',
  (type) => {
    const client = new QueryClient();
    const detail = queryKeys.controllers.detail('A1');
    client.setQueryData(detail, { serialNumber: 'A1' });
    applyEvent(client, { type, serialNumber: 'a1' });
    expect(client.getQueryState(detail)?.isInvalidated).toBe(true);
  },
);
