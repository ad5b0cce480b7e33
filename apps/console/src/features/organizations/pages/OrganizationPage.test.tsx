import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeController, organization } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const path = `/organizations/${organization.id}`;
const answers = {
  listMembers: () => [],
  listInvites: () => [],
  listGrants: () => [],
  listServiceAccounts: () => [],
  listTunnels: () => ({ count: 0, next: null, previous: null, results: [] }),
};

test.each([
  ['', 'Overview', 'Overview · Boiler Works · Pult'],
  ['?tab=nothing', 'Overview', 'Overview · Boiler Works · Pult'],
  ['/access', 'Access', 'Access · Boiler Works · Pult'],
  ['/connections', 'Connections', 'Connections · Boiler Works · Pult'],
  ['/settings/general', 'Settings', 'Settings · Boiler Works · Pult'],
])('the address %s of an organization is the page %s, titled %s', async (query, heading, title) => {
  renderConsole(path + query, { answers });
  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeTruthy();
  await waitFor(() => expect(document.title).toBe(title));
});

test.each([
  ['?tab=members', '/access?kind=people'],
  ['?tab=members#someone', '/access?kind=people&open=someone'],
  ['?tab=access&controller=A1', '/access?controller=A1'],
  ['?tab=access&person=someone', '/access?open=someone'],
  ['?tab=services', '/access?kind=services'],
  ['?tab=tunnels&state=ended', '/connections?state=ended'],
  ['?tab=settings', '/settings/general'],
  ['?tab=settings#sign-in', '/settings/single-sign-on'],
  ['?tab=settings#webhooks', '/settings/webhooks'],
])('the address %s of an organization, as it once was, leads to %s', async (query, moved) => {
  const { address } = renderConsole(path + query, { answers });
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(address()).toBe(path + moved));
});

test.each(['Access', 'Connections', 'Settings'])('%s has one place in the navigation', async (name) => {
  renderConsole(path, { answers });
  expect(await screen.findAllByRole('link', { name })).toHaveLength(1);
  expect(screen.queryByRole('tab')).toBeNull();
});

const counts = (count: number, countOnline: number, countNever = 0) => ({
  count,
  countOnline,
  countOffline: count - countOnline - countNever,
  countNever,
});
const groupId = '01890a5d-ac96-774b-bcce-b302099a8001';
const fleet = {
  ...counts(12, 7, 1),
  firmware: [
    { firmwareVersion: 'wb-2507', ...counts(9, 6) },
    { firmwareVersion: '', ...counts(1, 0, 1) },
  ],
  otherFirmware: { versions: 2, ...counts(2, 1) },
  groups: [{ id: groupId, name: 'North', ...counts(8, 7) }],
  ungrouped: counts(4, 0),
  recentlyLost: [makeController({ serialNumber: 'LOST0001', status: 'offline' })],
  recentlyAdded: [makeController({ serialNumber: 'NEW00001' })],
};
const hrefOf = async (name: string | RegExp) =>
  (await screen.findByRole('link', { name })).getAttribute('href');

test('each figure of the overview opens the list of those it counts', async () => {
  renderConsole(path, { answers: { getFleetOverview: () => fleet } });
  const list = `${path}/controllers`;
  expect(await hrefOf('All 12')).toBe(list);
  expect(await hrefOf('Online 7')).toBe(`${list}?status=online`);
  expect(await hrefOf('Offline 4')).toBe(`${list}?status=offline`);
  expect(await hrefOf('Never seen 1')).toBe(`${list}?status=never`);
  expect(await hrefOf('North 8 7 online')).toBe(`${list}?group_ids=${groupId}`);
  expect(await hrefOf('Ungrouped 4 0 online')).toBe(`${list}?ungrouped=true`);
  expect(await hrefOf('wb-2507 9 6 online')).toBe(`${list}?firmware=wb-2507`);
  expect(screen.getByText('2 more versions')).toBeTruthy();
  expect(await hrefOf('Version unknown 1 0 online')).toBe(`${list}?firmware_known=false`);
});

test('the overview leads to controllers that were lost and added last', async () => {
  renderConsole(path, { answers: { getFleetOverview: () => fleet } });
  expect(await hrefOf(/LOST0001/)).toBe(`${path}/controllers/LOST0001`);
  expect(await hrefOf(/NEW00001/)).toBe(`${path}/controllers/NEW00001`);
});

test('the overview of an organization without controllers says how to add one', async () => {
  const none = { ...fleet, ...counts(0, 0) };
  renderConsole(path, { answers: { getFleetOverview: () => none } });
  expect(await screen.findByText('This organization has no controllers yet')).toBeTruthy();
});
