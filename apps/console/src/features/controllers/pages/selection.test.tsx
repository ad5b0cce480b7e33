import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { makeGroup } from '../../groups/testing/make-group.ts';
import { showPhoneScreen, showWideScreen } from '../../groups/testing/wide-screen.ts';
import { type Answers, makeController, organization, pageOf, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const list = `/organizations/${organization.id}/controllers`;
const southId = '01890a5d-ac96-774b-bcce-b30209900003';
const rows = ['PUMP0001', 'PUMP0002'].map((serialNumber) => makeController({ serialNumber }));
const listControllers = () => ({ ...pageOf(...rows), count: 100_000 });
const filter = { organization_id: organization.id, search: 'pump', status: 'offline' };

beforeEach(showWideScreen);

const open = (answers: Answers = {}, address = `${list}?search=pump&status=offline`) =>
  renderConsole(address, {
    answers: {
      listControllers,
      listGroups: () => [makeGroup(southId, { name: 'South' })],
      ...answers,
    },
  });
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const check = async (name: string) => fireEvent.click(await screen.findByRole('checkbox', { name }));
const selectMatching = async () => {
  await check('Select all on the page');
  await press('Select all 100,000 matching');
};
const chooseSouth = async () => {
  await press('Move to group…');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(await dialog.findByRole('treeitem', { name: 'South' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Move' }));
};

describe('all that match', () => {
  it('all that match are offered after those shown, and sent as the filter', async () => {
    const { callsOf } = open({ attachControllers: () => ({ count: 99_998 }) });
    await selectMatching();
    expect(await screen.findByText('All 100,000 matching selected')).toBeTruthy();
    await chooseSouth();
    expect(await screen.findByText('99,998 controllers moved to the group “South”')).toBeTruthy();
    expect(callsOf('attachControllers')).toMatchObject([{ params: { groupId: southId }, body: { filter } }]);
    expect(callsOf('attachControllers')[0]?.body).not.toHaveProperty('controllers');
    await waitFor(() => expect(screen.queryByText('All 100,000 matching selected')).toBeNull());
  });

  it('all that match are taken out of their groups only after a question', async () => {
    const { callsOf } = open({ detachControllers: () => ({ count: 100_000 }) });
    await selectMatching();
    await press('Take out of group');
    const dialog = within(
      await screen.findByRole('dialog', { name: 'Take 100,000 controllers out of their groups?' }),
    );
    expect(callsOf('detachControllers')).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Take out of groups' }));
    await waitFor(() => expect(callsOf('detachControllers').map(({ body }) => body)).toEqual([{ filter }]));
  });

  it('stay selected on another page, and are dropped with their filter', async () => {
    open();
    await selectMatching();
    await press('2');
    expect(await screen.findByText('All 100,000 matching selected')).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: /Online/ }));
    await waitFor(() => expect(screen.queryByText('All 100,000 matching selected')).toBeNull());
  });

  it('become the rows shown when one of them is left out', async () => {
    open();
    await selectMatching();
    await check('Select PUMP0002');
    expect(await screen.findByText('1 selected')).toBeTruthy();
  });

  it('all that match are not offered where all are shown', async () => {
    open({ listControllers: () => pageOf(...rows) });
    await check('Select all on the page');
    expect(await screen.findByText('2 selected')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /matching/ })).toBeNull();
  });
});

describe('a move that takes its time', () => {
  const begin = async () => {
    let answer: (count: number) => void = () => undefined;
    const attachControllers = () =>
      new Promise((resolve) => {
        answer = (count) => resolve({ count, moveId: null });
      });
    const app = open({ attachControllers });
    await selectMatching();
    await chooseSouth();
    expect(await screen.findByText('Moving 100,000 controllers to “South”…')).toBeTruthy();
    expect(screen.getByRole('progressbar', { name: 'Moving controllers' })).toBeTruthy();
    return { ...app, finish: (count: number) => answer(count) };
  };

  it('shows that it goes on, on another page of the list and after another page of the console', async () => {
    const { router, finish } = await begin();
    await press('2');
    expect(await screen.findByText(/^Moving 100,000/)).toBeTruthy();
    await router.navigate({ to: `/organizations/${organization.id}` });
    await waitFor(() => expect(screen.queryByText(/^Moving 100,000/)).toBeNull());
    await router.navigate({ to: list });
    expect(await screen.findByText(/^Moving 100,000/)).toBeTruthy();
    finish(100_000);
    expect(await screen.findByText('100,000 controllers moved to the group “South”')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText(/^Moving 100,000/)).toBeNull());
  });

  it('tells how it ended wherever one is by then', async () => {
    const { router, finish } = await begin();
    await router.navigate({ to: `/organizations/${organization.id}` });
    await screen.findByRole('heading', { level: 1, name: 'Overview' });
    finish(100_000);
    expect(await screen.findByText('100,000 controllers moved to the group “South”')).toBeTruthy();
  });

  it('a move that takes its time cannot be sent twice', async () => {
    const { callsOf, finish } = await begin();
    expect(screen.queryByRole('button', { name: 'Move to group…' })).toBeNull();
    expect(callsOf('attachControllers')).toHaveLength(1);
    finish(1);
    expect(await screen.findByText('Controller moved to the group “South”')).toBeTruthy();
  });

  it('a move that failed says why, and keeps the selection', async () => {
    open({ attachControllers: () => refuse(404, 'group_not_found', 'This group does not exist.') });
    await selectMatching();
    await chooseSouth();
    expect(await screen.findByText('This group does not exist.')).toBeTruthy();
    expect(await screen.findByText('All 100,000 matching selected')).toBeTruthy();
  });
});

describe('on a phone', () => {
  beforeEach(showPhoneScreen);

  it('cards are selected, all of the page at once, and moved', async () => {
    const { callsOf } = open({ attachControllers: () => ({ count: 2, moveId: null }) });
    await check('Select PUMP0001');
    expect(await screen.findByText('1 selected')).toBeTruthy();
    await check('Select all on the page');
    expect(await screen.findByText('2 selected')).toBeTruthy();
    await chooseSouth();
    await waitFor(() =>
      expect(callsOf('attachControllers')).toMatchObject([
        { body: { controllers: ['PUMP0001', 'PUMP0002'] } },
      ]),
    );
  });
});

describe('labels', () => {
  it('labels are printed for the selected rows, each with the code of its controller’s page', async () => {
    const print = vi.fn();
    vi.stubGlobal('print', print);
    open();
    await check('Select PUMP0002');
    await press('Labels…');
    const dialog = within(await screen.findByRole('dialog', { name: 'Labels of controllers' }));
    const label = await dialog.findByRole('listitem');
    expect(label.textContent).toContain('PUMP0002');
    expect(label.textContent).toContain('Boiler room');
    expect(within(label).getByRole('img', { name: 'Code of the page of controller PUMP0002' })).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });

  it('labels are not printed for all that match, and the button says why', async () => {
    open();
    await selectMatching();
    const button = await screen.findByRole('button', { name: 'Labels…' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });
});
