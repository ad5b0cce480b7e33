import type { AuditEvent, Overview } from '@pult/contract';
import { attentionKinds } from '@pult/contract/values';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { alertsList } from '../alerts/queries.ts';
import { listSearch } from '../controllers/list-search.ts';
import { emptyOverview, organization } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const path = `/organizations/${organization.id}`;
const list = `${path}/controllers`;
const groupId = '01890a5d-ac96-774b-bcce-b302099a8001';
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const counts = (count: number, countOnline: number, countNever = 0) => ({
  count,
  countOnline,
  countOffline: count - countOnline - countNever,
  countNever,
});
const recent = (serialNumber: string, minutes: number) => ({
  serialNumber,
  description: `Boiler of ${serialNumber}`,
  group: { id: groupId, name: 'North' },
  status: 'offline' as const,
  lastSeenAt: ago(minutes),
  activatedAt: ago(minutes),
});

const overview: Overview = {
  ...emptyOverview,
  ...counts(12, 7, 1),
  attention: [
    {
      kind: 'alert_offline',
      count: 3,
      list: 'alerts',
      query: { state: 'firing', kind: 'offline' },
      places: [
        { group: { id: groupId, name: 'North' }, count: 2 },
        { group: null, count: 1 },
      ],
    },
    {
      kind: 'lost',
      count: 4,
      list: 'controllers',
      query: { offline_minutes_min: '60' },
      places: [
        { group: { id: groupId, name: 'North' }, count: 3 },
        { group: null, count: 1 },
      ],
    },
    {
      kind: 'agent_outdated',
      count: 5,
      list: 'controllers',
      query: { connection_kind: 'agent', agent: '0.1.0,0.1.1' },
      places: [],
    },
  ],
  presence: {
    day: [
      { timestamp: ago(125), online: 5, total: 12 },
      { timestamp: ago(5), online: 7, total: 12 },
    ],
    month: [{ timestamp: ago(5), online: 12, total: 12 }],
  },
  groups: [
    { group: { id: groupId, name: 'North' }, ...counts(8, 4) },
    { group: null, ...counts(4, 3, 1) },
  ],
  groupCount: 12,
  firmware: [
    { firmwareVersion: 'wb-2507', ...counts(9, 6) },
    { firmwareVersion: '', ...counts(1, 0, 1) },
  ],
  otherFirmware: { versions: 2, ...counts(2, 1) },
  recentlyLost: [recent('LOST0001', 6)],
  recentlyAdded: [recent('NEW00001', 3 * 24 * 60)],
  connections: {
    count: 7,
    results: [
      {
        id: groupId,
        kind: 'terminal',
        port: null,
        serialNumber: 'A1B2C3D4',
        user: { id: groupId, email: 'anna@example.com' },
        address: null,
        startedAt: ago(12),
        endedAt: null,
        endReason: null,
        endedBy: null,
        bytesIn: 0,
        bytesOut: 0,
      },
    ],
  },
  changes: [
    {
      id: groupId,
      at: ago(61),
      count: 3,
      lastAt: ago(60),
      action: 'controller.updated',
      user: { id: groupId, email: 'boris@example.com' },
      subject: 'A1B2C3D4',
      address: '',
      details: {},
      existingControllers: ['A1B2C3D4'],
    } satisfies AuditEvent,
  ],
};

const show = (content: Overview = overview, locale?: 'ru' | 'en') =>
  renderConsole(path, { answers: { getOverview: () => content }, ...(locale ? { locale } : {}) });
const hrefOf = async (name: string | RegExp) =>
  decodeURIComponent((await screen.findByRole('link', { name })).getAttribute('href') ?? '');
const part = (name: string) => screen.findByRole('region', { name });

describe('the overview of an organization', () => {
  test('each line of what needs attention leads to the list that it counts, as does each of its places', async () => {
    show();
    expect(await hrefOf('Offline for longer than a rule allows 3')).toBe(
      `${path}/alerts?state=firing&kind=offline`,
    );
    expect(await hrefOf('Offline for more than an hour 4')).toBe(`${list}?offline_minutes_min=60`);
    expect(await hrefOf('Old version of the agent 5')).toBe(
      `${list}?connection_kind=agent&agent=0.1.0,0.1.1`,
    );
    expect(await hrefOf('North: 2')).toBe(`${path}/alerts?state=firing&kind=offline&group_ids=${groupId}`);
    expect(await hrefOf('North: 3')).toBe(`${list}?offline_minutes_min=60&group_ids=${groupId}`);
    expect(await hrefOf('Ungrouped: 1')).toBe(`${list}?offline_minutes_min=60&ungrouped=true`);
  });

  test('each figure of the fleet opens the list of the controllers that it counts', async () => {
    show();
    expect(await hrefOf('12 controllers')).toBe(list);
    expect(await hrefOf('7 online')).toBe(`${list}?status=online`);
    expect(await hrefOf('4 offline')).toBe(`${list}?status=offline`);
    expect(await hrefOf('1 never connected')).toBe(`${list}?status=never`);
    expect(await hrefOf('North 4 of 8 offline')).toBe(`${list}?group_ids=${groupId}&status=offline`);
    expect(await hrefOf('Ungrouped 4, none offline')).toBe(`${list}?ungrouped=true`);
    expect(await hrefOf('wb-2507 9 · 6 online')).toBe(`${list}?firmware=wb-2507`);
    expect(await hrefOf('Version unknown 1 · 0 online')).toBe(`${list}?firmware_known=false`);
    expect(screen.getByText('2 more versions')).toBeTruthy();
    expect(await hrefOf('All 12 groups')).toBe(list);
  });

  test('what has happened stands with how long ago it was', async () => {
    show();
    const lost = within(await part('Recently lost'));
    expect(lost.getByRole('link', { name: /LOST0001/ }).textContent).toBe(
      'Boiler of LOST00016 min agoLOST0001 · North',
    );
    expect(within(await part('Recently added')).getByText('3 days ago')).toBeTruthy();
    const connections = within(await part('Connected now'));
    expect(connections.getByText('anna@example.com')).toBeTruthy();
    expect(connections.getByText('12 min ago')).toBeTruthy();
    expect(connections.getByRole('link', { name: 'All 7' })).toBeTruthy();
    const changes = within(await part('Latest changes'));
    expect(changes.getByText('1 hr ago')).toBeTruthy();
    expect(changes.getByRole('link', { name: 'A1B2C3D4' })).toBeTruthy();
    expect(changes.getByText(/boris@example.com/)).toBeTruthy();
  });

  test('presence names the fewest that were online in a day and in a month, and leads to their charts', async () => {
    show();
    await part('Presence');
    expect(await hrefOf(/^24 hours lowest 5 of 12, 2 hr ago$/)).toBe(`${path}/monitoring?range=24h`);
    expect(await hrefOf(/^30 days all 12 online$/)).toBe(`${path}/monitoring?range=30d`);
  });

  test('the parts that a role does not see are absent', async () => {
    const { presence: _presence, connections: _connections, changes: _changes, ...shown } = overview;
    show(shown);
    await part('Recently lost');
    for (const name of ['Presence', 'Connected now', 'Latest changes']) {
      expect(screen.queryByRole('region', { name })).toBeNull();
    }
  });

  test('a fleet without problems says so', async () => {
    show({ ...overview, attention: [] });
    expect(within(await part('Needs attention')).getByText('Nothing needs attention')).toBeTruthy();
  });

  test('an organization without controllers shows the way to the first one', async () => {
    show(emptyOverview);
    expect(await hrefOf('Add controller')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull();
  });

  test.each([
    ['a status', { type: 'controller.status', serialNumber: 'A1', status: 'offline', statusReason: 'link' }],
    ['an alert', { type: 'alerts.changed', change: 'alerts' }],
  ])('is read again when %s changes', async (_, event) => {
    const { callsOf, emit } = show();
    await part('Needs attention');
    await waitFor(() => expect(callsOf('getOverview')).toHaveLength(1));
    const times = { statusSince: ago(0), lastSeenAt: ago(0) };
    emit({ ...times, ...event } as Parameters<typeof emit>[0]);
    await waitFor(() => expect(callsOf('getOverview').length).toBeGreaterThan(1), { timeout: 3000 });
  });
});

test('the addresses of the lists say all that the overview asks of them', () => {
  expect(attentionKinds.length).toBeGreaterThan(0);
  for (const { list: of, query } of overview.attention) {
    const search = of === 'alerts' ? alertsList : listSearch;
    expect((search as typeof listSearch).write((search as typeof listSearch).read(query))).toEqual(query);
  }
});
