import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { organization } from '../../testing/fake-api.ts';
import { groupId, makeAlert, open, openRules, path, row, rulesPath } from '../testing/open-alerts.tsx';

test('an alert whose mails were kept shows that in place of a time', async () => {
  open({ alerts: [makeAlert({ notifiedAt: null, isKept: true })] });
  expect(await row('Alerts that fired')).toMatch(/not sent: kept on the server$/);
});

test('the history tells groups of one name apart', async () => {
  const makeGroup = (id: string, name: string, subgroups: object[] = []) => ({
    id,
    name,
    parent: null,
    level: 0,
    organization: { id: organization.id },
    controllersCount: 1,
    subgroups,
  });
  const groups = ['South', 'North'].map((name, index) =>
    makeGroup(`${groupId}-${index}`, name, [makeGroup(index === 0 ? 'other' : groupId, 'Boilers')]),
  );
  const alerts = [makeAlert({ group: { id: groupId, name: 'Boilers' } })];
  open({ alerts, answers: { listGroups: () => groups } });
  const table = within(await screen.findByRole('table', { name: 'Alerts that fired' }));
  expect(await table.findByTitle('North › Boilers')).toBeTruthy();
  expect(table.getByTitle('North › Boilers').textContent).toBe('North › Boilers');
});

test('the history shows who was away, since when and for how long', async () => {
  open({ alerts: [makeAlert()] });
  expect(await row('Alerts that fired')).toMatch(
    /^A1B2C3D4Boiler roomNorth20 Nov 2025, .+Online since 20 Nov 2025, .+was away for 1 h 40 min20 Nov 2025, /,
  );
  const link = screen.getByRole('link', { name: 'A1B2C3D4' });
  expect(link.getAttribute('href')).toBe(`/organizations/${organization.id}/controllers/A1B2C3D4`);
});

test('the history shows how much of its traffic budget a controller had used', async () => {
  const traffic = { bytes: 42 * 1024 ** 2, budget: 50 * 1024 ** 2 };
  const alert = makeAlert({ kind: 'traffic_80', offlineSince: null, traffic, resolvedAt: null });
  open({ alerts: [alert] });
  expect(await row('Alerts that fired')).toMatch(/Traffic: 84% of 50\sMB a month/);
});

test('the filters live in the address and are what the server is asked', async () => {
  const { callsOf, address } = open({ at: `${path}?state=firing&serial_number=A1`, alerts: [makeAlert()] });
  await row('Alerts that fired');
  // Beside the number in the side bar.
  expect(callsOf('listAlerts').map(({ query }) => query)).toContainEqual(
    expect.objectContaining({ state: 'firing', serial_number: 'A1', page: '1' }),
  );
  fireEvent.click(screen.getByRole('radio', { name: 'Past' }));
  await waitFor(() => expect(address()).toBe(`${path}?state=resolved&serial_number=A1`));
});

test('a viewer sees for whom the page is, and nothing is requested', async () => {
  const { callsOf } = open({ role: 'viewer' });
  await screen.findByText('Alerts are for members');
  expect([...callsOf('listAlertRules'), ...callsOf('listAlerts')]).toEqual([]);
});

test('empty pages say what to do and what will be there', async () => {
  openRules({ rules: [] });
  await screen.findByText('No rules yet');
  cleanup();
  open();
  await screen.findByText('Nothing has happened yet');
  const link = screen.getByRole('link', { name: 'Alert rules' });
  expect(link.getAttribute('href')).toBe(rulesPath);
});
