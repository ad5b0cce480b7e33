import type { ControllerTraffic } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { showWideScreen } from '../groups/testing/wide-screen.ts';
import { asRole, makeController, organization } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { monthOf, shiftMonth } from './months.ts';

const page = `/organizations/${organization.id}/controllers/A1B2C3D4?tab=traffic`;
const megabyte = 1024 ** 2;
const month = monthOf(Date.now());
const groupId = '01890a5d-ac96-774b-bcce-b302099a8059';
const north = { id: groupId, name: 'North' };

function makeTraffic(changes: Partial<ControllerTraffic> = {}): ControllerTraffic {
  const quiet = { web: 0, terminal: 0, telemetry: 0, diagnostics: 0, keepalive: megabyte };
  return {
    month,
    days: [
      { day: `${month}-01`, ...quiet },
      { day: `${month}-02`, ...quiet, web: 30 * megabyte, terminal: 10 * megabyte },
    ],
    total: 42 * megabyte,
    budget: null,
    isSaving: false,
    ...changes,
  };
}

it('the traffic of a controller is shown by day and kind, beside its budget', async () => {
  const budget = { bytes: 50 * megabyte, group: north };
  renderConsole(page, { answers: { getControllerTraffic: () => makeTraffic({ budget }) } });
  const days = within(await screen.findByRole('list', { name: 'Traffic by day' }));
  expect(days.getAllByRole('img')).toHaveLength(2);
  expect(
    days.getByRole('img', {
      name: /^2 .*: 41\sMB\. Web interface 30\sMB, Terminal and SSH 10\sMB, Connection 1\sMB$/,
    }),
  ).toBeTruthy();
  const kinds = screen.getByRole('list', { name: 'Traffic by purpose' });
  expect(
    within(kinds)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.replace(/\s/g, ' ')),
  ).toEqual([
    'Web interface 30 MB',
    'Terminal and SSH 10 MB',
    'Telemetry 0 B',
    'Diagnostics 0 B',
    'Connection 2 MB',
  ]);
  expect(screen.getByText(/84% of 50\sMB, the budget of the group “North”/)).toBeTruthy();
  expect(screen.getByText('Over 80% of the budget is used.')).toBeTruthy();
});

it('the traffic of a controller that was added today is its sums, without a chart of one day', async () => {
  const day = new Date().toISOString().slice(0, 10);
  const quiet = { web: 0, terminal: 0, telemetry: 0, diagnostics: 0, keepalive: 6144 };
  renderConsole(page, {
    answers: {
      getController: () => makeController({ activatedAt: `${day}T00:00:00Z` }),
      getControllerTraffic: () => makeTraffic({ days: [{ day, ...quiet }], total: 6144 }),
    },
  });
  await screen.findByRole('list', { name: 'Traffic by purpose' });
  expect(screen.queryByRole('list', { name: 'Traffic by day' })).toBeNull();
});

it('the traffic of a single day among others is written once as a sum, not again as the height of its column', async () => {
  const before = shiftMonth(month, -1);
  const quiet = { web: 0, terminal: 0, telemetry: 0, diagnostics: 0, keepalive: 6144 };
  const one = { month: before, days: [{ day: `${before}-09`, ...quiet }], total: 6144 };
  renderConsole(page, {
    answers: {
      getController: () => makeController({ activatedAt: `${before}-08T00:00:00Z` }),
      getControllerTraffic: () => makeTraffic(one),
    },
  });
  const days = await screen.findByRole('list', { name: 'Traffic by day' });
  expect(within(days).getAllByRole('listitem', { hidden: true })[0]?.textContent).toBe('8');
  // The other is that of its kind.
  expect(screen.getAllByText(/^6\skB$/)).toHaveLength(2);
});

it.each([
  ['en', 'The budget is used up. The connection stays.'],
  ['ru', 'Лимит исчерпан. Связь не отключается.'],
] as const)('a budget that is used up is told in %s, and that nothing is cut', async (locale, text) => {
  const budget = { bytes: 40 * megabyte, group: null };
  renderConsole(page, { locale, answers: { getControllerTraffic: () => makeTraffic({ budget }) } });
  expect(await screen.findByText(text)).toBeTruthy();
});

it('earlier months of traffic are a press away, and none lies ahead', async () => {
  const { callsOf } = renderConsole(page, {
    answers: {
      getControllerTraffic: ({ query }) => makeTraffic({ month: String(query.month), days: [], total: 0 }),
    },
  });
  expect(await screen.findByText('Nothing has been sent in this month.')).toBeTruthy();
  const next = screen.getByRole<HTMLButtonElement>('button', { name: 'Next month' });
  expect(next.disabled).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Month before' }));
  await waitFor(() =>
    expect(callsOf('getControllerTraffic').map(({ query }) => query.month)).toEqual([
      month,
      shiftMonth(month, -1),
    ]),
  );
  expect(next.disabled).toBe(false);
});

it('the budget of a controller is set in whole megabytes, and taken away', async () => {
  let bytes: number | null = null;
  const { callsOf } = renderConsole(page, {
    answers: {
      getControllerTraffic: () => makeTraffic({ budget: bytes === null ? null : { bytes, group: null } }),
      setControllerTrafficBudget: ({ body }) => {
        ({ bytes } = body as { bytes: number | null }); // as the form sends it
        return undefined;
      },
    },
  });
  const field = await screen.findByLabelText('Megabytes a month');
  const save = screen.getByRole('button', { name: 'Save' });
  fireEvent.change(field, { target: { value: '0' } });
  fireEvent.click(save);
  expect(await screen.findByText('A whole number from 1 to 9,536,743')).toBeTruthy();
  fireEvent.change(field, { target: { value: '100' } });
  fireEvent.click(save);
  fireEvent.click(await screen.findByRole('button', { name: 'Remove budget' }));
  await screen.findByText('There is no budget.');
  expect(callsOf('setControllerTrafficBudget').map(({ body }) => body)).toEqual([
    { bytes: 100 * megabyte },
    { bytes: null },
  ]);
});

it('a member sees the budget of a controller and cannot change it', async () => {
  renderConsole(page, {
    answers: {
      ...asRole('member'),
      getControllerTraffic: () => makeTraffic({ budget: { bytes: 50 * megabyte, group: null } }),
    },
  });
  const field = await screen.findByLabelText<HTMLInputElement>('Megabytes a month');
  expect([field.value, field.readOnly]).toEqual(['50', true]);
  expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true');
});

it('the traffic saver is turned on by whoever may edit the controller, and shown as it is', async () => {
  let isSaving = false;
  const { callsOf } = renderConsole(page, {
    answers: {
      getControllerTraffic: () => makeTraffic({ isSaving }),
      setTrafficSaver: ({ body }) => {
        isSaving = (body as { enabled: boolean }).enabled; // as the switch sends it
        return undefined;
      },
    },
  });
  const toggle = await screen.findByRole<HTMLInputElement>('switch', { name: 'Save traffic' });
  await waitFor(() => expect(toggle.disabled).toBe(false));
  fireEvent.click(toggle);
  await waitFor(() => expect(toggle.checked).toBe(true));
  expect(callsOf('setTrafficSaver')[0]).toMatchObject({ body: { enabled: true } });
});

it('the budget of a group is set from its menu, and says that it is each controller’s', async () => {
  const group = {
    ...north,
    parent: null,
    level: 0,
    organization: { id: organization.id },
    controllersCount: 3,
    userRole: 'admin',
    subgroups: [],
  };
  showWideScreen();
  const { callsOf } = renderConsole(`/organizations/${organization.id}/controllers`, {
    answers: {
      listGroups: () => [group],
      getGroupTrafficBudget: () => ({ bytes: null, inherited: null }),
      setGroupTrafficBudget: () => undefined,
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for the group North' }));
  const openDialog = async () => {
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Traffic budget…' }));
    return within(await screen.findByRole('dialog', { name: 'Traffic budget of the group “North”' }));
  };
  fireEvent.click(await (await openDialog()).findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Actions for the group North' }));
  const dialog = await openDialog();
  expect(dialog.getByText(/For each controller of this group/)).toBeTruthy();
  fireEvent.change(await dialog.findByLabelText('Megabytes a month'), { target: { value: '20' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(callsOf('setGroupTrafficBudget')[0]).toMatchObject({
      params: { groupId },
      body: { bytes: 20 * megabyte },
    }),
  );
});
