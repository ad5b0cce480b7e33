import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Answers,
  asRole,
  makeController,
  organization,
  pageOf,
  refuse,
  refuseFields,
} from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { makeGroup } from './testing/make-group.ts';
import { showWideScreen } from './testing/wide-screen.ts';

const list = `/organizations/${organization.id}/controllers`;
const idOf = (digit: number) => `01890a5d-ac96-774b-bcce-b30209900${String(digit).padStart(3, '0')}`;
const [northId, boilersId, southId] = [idOf(1), idOf(2), idOf(3)];
const groups = () => [
  makeGroup(northId, {
    name: 'North',
    controllersCount: 12,
    subgroups: [makeGroup(boilersId, { name: 'Boilers', controllersCount: 5 })],
  }),
  makeGroup(southId, { name: 'South', controllersCount: 3 }),
];

beforeEach(showWideScreen);

const open = (answers: Answers = {}, address = list, locale: 'ru' | 'en' = 'en') =>
  renderConsole(address, {
    locale,
    answers: {
      listGroups: groups,
      countControllers: () => ({ count: 20, countOnline: 18, countOffline: 2, countNever: 0 }),
      ...answers,
    },
  });
const item = (name: string | RegExp) => screen.findByRole('treeitem', { name });
const tree = () => screen.findByRole('tree', { name: 'Groups' });
const press = async (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(await tree(), { key });
};
const activeName = async () => {
  const id = (await tree()).getAttribute('aria-activedescendant') ?? '';
  return document.getElementById(id)?.getAttribute('aria-label');
};
const openMenu = async (group: string, action: string) => {
  fireEvent.click(await screen.findByRole('button', { name: `Actions for the group ${group}` }));
  fireEvent.click(await screen.findByRole('menuitem', { name: action }));
};
const fillName = async (name: string, submit: string) => {
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(await dialog.findByRole('textbox', { name: 'Name' }), { target: { value: name } });
  fireEvent.click(dialog.getByRole('button', { name: submit }));
};

describe('the tree of groups', () => {
  it('counts all, those in no group and those of each group', async () => {
    open();
    for (const name of ['All controllers, 20', 'Ungrouped, 5', 'North, 12', 'South, 3']) {
      expect(await item(name)).toBeTruthy();
    }
    expect(screen.queryAllByRole('treeitem', { name: /Boilers/ })).toHaveLength(0);
  });

  // spec: 7.13, 7.15
  it('filters list and counts by the chosen group, in the address', async () => {
    const { address, callsOf } = open();
    fireEvent.click(await item(/North/));
    await waitFor(() => expect(address()).toBe(`${list}?group_ids=${northId}`));
    await waitFor(() => expect(callsOf('listControllers').at(-1)?.query.group_ids).toBe(northId));
    expect(callsOf('countControllers').at(-1)?.query.group_ids).toBe(northId);
    expect((await item(/North/)).getAttribute('aria-selected')).toBe('true');
    fireEvent.click(await item(/Ungrouped/));
    await waitFor(() => expect(address()).toBe(`${list}?ungrouped=true`));
    fireEvent.click(await item(/All controllers/));
    await waitFor(() => expect(address()).toBe(list));
  });

  it('follows the search and status of the list, not the chosen group', async () => {
    const { callsOf } = open({}, `${list}?search=pump&status=offline&group_ids=${southId}`);
    expect((await item(/South/)).getAttribute('aria-selected')).toBe('true');
    expect(callsOf('listGroups').map(({ query }) => query)).toEqual([
      { organization_id: organization.id, search: 'pump', status: 'offline' },
    ]);
  });

  it('shows a chosen group by opening those above it', async () => {
    open({}, `${list}?group_ids=${boilersId}`);
    expect((await item(/Boilers/)).getAttribute('aria-level')).toBe('2');
  });

  it('the tree of groups is walked, opened and chosen from by the keyboard', async () => {
    const { address } = open();
    await item(/North/);
    await press('ArrowDown', 'ArrowDown');
    expect(await activeName()).toBe('North, 12');
    await press('ArrowRight');
    expect((await item(/North/)).getAttribute('aria-expanded')).toBe('true');
    await press('ArrowRight', 'Enter');
    await waitFor(() => expect(address()).toBe(`${list}?group_ids=${boilersId}`));
    await press('ArrowLeft', 'ArrowLeft');
    expect((await item(/North/)).getAttribute('aria-expanded')).toBe('false');
    await press('End');
    expect(await activeName()).toBe('South, 3');
    await press('Home');
    expect(await activeName()).toBe('All controllers, 20');
  });

  it('the tree of groups is as open as it was left', async () => {
    const { unmount } = open();
    await item(/North/);
    await press('End', 'ArrowUp', 'ArrowRight');
    await item(/Boilers/);
    unmount();
    open();
    expect(await item(/Boilers/)).toBeTruthy();
  });

  it('the tree of groups is read again when somebody else changes groups', async () => {
    let name = 'South';
    const { emit } = open({
      listGroups: () => [makeGroup(southId, { name, controllersCount: 3 })],
    });
    await item(/South/);
    name = 'Far south';
    await emit({ type: 'group.changed', change: 'updated', groupId: southId });
    expect(await item(/Far south/)).toBeTruthy();
  });

  it('draws only what is in sight of very many groups', async () => {
    Object.defineProperty(HTMLElement.prototype, 'clientHeight', { value: 600, configurable: true });
    open({
      listGroups: () =>
        Array.from({ length: 5000 }, (_, index) => makeGroup(idOf(index), { name: `Site ${index}` })),
    });
    await item(/All controllers/);
    expect(screen.getAllByRole('treeitem').length).toBeLessThan(200);
    Reflect.deleteProperty(HTMLElement.prototype, 'clientHeight');
  });

  it('shows any name as what it is: markup, emoji, from right to left, and as long as a name may be', async () => {
    const names = ['<img src=x onerror=alert(1)>', '🏭👩🏽‍🔧 Цех', 'مبنى الإدارة', 'Ж'.repeat(255)];
    open({ listGroups: () => names.map((name, index) => makeGroup(idOf(index), { name })) });
    for (const name of names) {
      const shown = await screen.findByTitle(name);
      expect(shown.textContent).toBe(name);
      // Its direction is its own, and turns nothing around it.
      expect(shown.querySelector('bdi')).toBeTruthy();
    }
    expect(document.querySelectorAll('[role=tree] img')).toHaveLength(0);
  });

  it('the tree of groups is walked down twenty levels, each told as such', async () => {
    const chain = (level: number): ReturnType<typeof makeGroup> =>
      makeGroup(idOf(level), {
        name: `Level ${level}`,
        ...(level < 20 ? { subgroups: [chain(level + 1)] } : {}),
      });
    open({ listGroups: () => [chain(1)] });
    await item(/^Level 1,/);
    await press('End');
    for (let level = 1; level < 20; level += 1) await press('ArrowRight', 'ArrowRight');
    const deepest = await item(/^Level 20,/);
    expect(deepest.getAttribute('aria-level')).toBe('20');
    expect(await activeName()).toBe('Level 20, 0');
  });

  it('says what groups are for when there are none', async () => {
    open({ listGroups: () => [] });
    expect(await screen.findByText(/^Groups sort controllers/)).toBeTruthy();
  });
});

describe('a group', () => {
  // spec: 7.28
  it('a group is created at the top, and under another', async () => {
    const { callsOf } = open({ createGroup: () => makeGroup(idOf(9), { name: 'East' }) });
    fireEvent.click(await screen.findByRole('button', { name: 'Create group' }));
    await fillName(' East ', 'Create');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await openMenu('South', 'Create subgroup');
    await fillName('Pumps', 'Create');
    await waitFor(() => expect(callsOf('createGroup')).toHaveLength(2));
    const { id } = organization;
    expect(callsOf('createGroup').map(({ body }) => body)).toEqual([
      { name: 'East', parent: null, organization: id },
      { name: 'Pumps', parent: southId, organization: id },
    ]);
  });

  it.each([
    ['a taken name', refuseFields({ name: ['There is already one of this name.'] }), /already one/],
    ['too many levels', refuse(400, 'group_too_deep', 'At most 20 levels.'), /At most 20 levels/],
  ])('says at the field why it was refused: %s', async (_, answer, text) => {
    open({ createGroup: () => answer });
    fireEvent.click(await screen.findByRole('button', { name: 'Create group' }));
    await fillName('North', 'Create');
    expect(await screen.findByText(text)).toBeTruthy();
    const field = screen.getByRole('textbox', { name: 'Name' });
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.querySelectorAll('.Toastify__toast')).toHaveLength(0);
  });

  // spec: 7.29
  it('a group is renamed', async () => {
    const { callsOf } = open({ updateGroup: () => makeGroup(southId) });
    await openMenu('South', 'Rename');
    await fillName('Far south', 'Save');
    expect(await screen.findByText('Group renamed')).toBeTruthy();
    expect(callsOf('updateGroup')).toMatchObject([
      { params: { groupId: southId }, body: { name: 'Far south' } },
    ]);
  });

  // spec: 4.03
  it('a group is moved to a place of the tree that is not under itself', async () => {
    const { callsOf } = open({ updateGroup: () => makeGroup(northId) });
    await openMenu('North', 'Move to…');
    const dialog = within(await screen.findByRole('dialog', { name: 'Where should “North” go?' }));
    fireEvent.click(await dialog.findByRole('treeitem', { name: 'South' }));
    expect(dialog.queryAllByRole('treeitem', { name: 'North' })).toHaveLength(0);
    fireEvent.click(dialog.getByRole('button', { name: 'Move' }));
    expect(await screen.findByText('Group moved')).toBeTruthy();
    expect(callsOf('updateGroup')).toMatchObject([
      { params: { groupId: northId }, body: { parent: southId } },
    ]);
  });

  it('a group that cannot be moved there says why in the dialog', async () => {
    open({ updateGroup: () => refuse(400, 'group_cycle', 'Not into itself.') });
    await openMenu('North', 'Move to…');
    fireEvent.click(
      await within(await screen.findByRole('dialog')).findByRole('treeitem', { name: 'South' }),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Move' }));
    expect((await screen.findByText('Not into itself.')).getAttribute('role')).toBe('alert');
  });

  const countOf = (count: number) => ({ count, countOnline: 0, countOffline: 0, countNever: count });
  const deleteNorth = async () => {
    await openMenu('North', 'Delete');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete the group “North”?' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  };

  // spec: 7.29
  it('a group is deleted after a question that says what goes with it, and no longer filtered by', async () => {
    const { callsOf, address } = open(
      {
        deleteGroup: () => undefined,
        // The whole group, whatever the list shows of it.
        countControllers: ({ query }) => countOf(query.group_ids === northId && !query.search ? 21 : 1),
      },
      `${list}?group_ids=${boilersId}&search=pump`,
    );
    await openMenu('North', 'Delete');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete the group “North”?' }));
    expect(dialog.getByText('1 subgroup is deleted with it.')).toBeTruthy();
    expect(await dialog.findByText('21 controllers stay in the organization, in no group.')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(address()).toBe(`${list}?search=pump`));
    expect(callsOf('deleteGroup').map(({ params }) => params.groupId)).toEqual([northId]);
  });

  it('a group is restored by the toast of its deletion, which lives for 10 seconds', async () => {
    const { callsOf } = open({ deleteGroup: () => undefined, restoreGroup: () => groups()[0] });
    await deleteNorth();
    const undo = await screen.findByRole('button', { name: 'Undo' });
    const toast = undo.closest<HTMLElement>('.Toastify__toast');
    const bar = toast?.querySelector<HTMLElement>('.Toastify__progress-bar');
    expect(bar?.style.animationDuration).toBe('10000ms');
    fireEvent.click(undo);
    expect(await screen.findByText('Group restored')).toBeTruthy();
    expect(callsOf('restoreGroup').map(({ params }) => params.groupId)).toEqual([northId]);
    await waitFor(() => expect(toast?.className).toContain('exit'));
  });

  it('a group that cannot be restored any more says why', async () => {
    open({
      deleteGroup: () => undefined,
      restoreGroup: () => refuse(404, 'group_not_found', 'Group does not exist.'),
    });
    await deleteNorth();
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The group cannot be restored');
    expect(alert.textContent).toContain('Group does not exist');
  });

  it('an empty group says in Russian that no controllers are in it', async () => {
    open({ countControllers: () => countOf(0) }, list, 'ru');
    fireEvent.click(await screen.findByRole('button', { name: 'Действия с группой South' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Удалить' }));
    expect(await screen.findByText('Контроллеров в ней нет.')).toBeTruthy();
  });

  it('a group cannot be changed by a member, with the reason', async () => {
    const ofMember = () => [makeGroup(southId, { name: 'South', userRole: 'member' })];
    open({ ...asRole('member'), listGroups: ofMember });
    for (const name of ['Create group', 'Actions for the group South']) {
      const button = await screen.findByRole('button', { name });
      expect(button.getAttribute('aria-disabled')).toBe('true');
      fireEvent.click(button);
    }
    expect(screen.queryAllByRole('dialog')).toHaveLength(0);
    expect(screen.queryAllByRole('menu')).toHaveLength(0);
    fireEvent.mouseEnter(screen.getByRole('button', { name: 'Create group' }));
    expect(await screen.findByText(/Only admins and owners can do this/)).toBeTruthy();
  });
});

describe('selected controllers', () => {
  const pump = makeController({ serialNumber: 'PUMP0001' });
  const listControllers = () => pageOf(makeController(), pump);
  const select = async (name: string) => fireEvent.click(await screen.findByRole('checkbox', { name }));

  // spec: 7.30
  it('selected controllers are put into a group', async () => {
    const { callsOf } = open({ listControllers, attachControllers: () => ({ count: 2, moveId: null }) });
    await select('Select all on the page');
    expect(await screen.findByText('2 selected')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Move to group…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Where should 2 controllers go?' }));
    fireEvent.click(await dialog.findByRole('treeitem', { name: 'South' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Move' }));
    expect(await screen.findByText('2 controllers moved to the group “South”')).toBeTruthy();
    expect(callsOf('attachControllers')).toMatchObject([
      { params: { groupId: southId }, body: { controllers: ['A1B2C3D4', 'PUMP0001'] } },
    ]);
    await waitFor(() => expect(screen.queryAllByText('2 selected')).toHaveLength(0));
  });

  // spec: 7.31
  it('selected controllers are taken out of their groups, only those selected', async () => {
    const { callsOf } = open({ listControllers, detachControllers: () => ({ count: 1, moveId: null }) });
    await select('Select PUMP0001');
    fireEvent.click(await screen.findByRole('button', { name: 'Take out of group' }));
    expect(await screen.findByText('1 controller is in no group now')).toBeTruthy();
    expect(callsOf('detachControllers').map(({ body }) => body)).toEqual([{ controllers: ['PUMP0001'] }]);
  });

  it('selected controllers of another view are none', async () => {
    open({ listControllers });
    await select('Select PUMP0001');
    expect(await screen.findByText('1 selected')).toBeTruthy();
    fireEvent.click(await item(/South/));
    await waitFor(() => expect(screen.queryAllByText('1 selected')).toHaveLength(0));
  });

  it('selected controllers are told why they were not moved, once', async () => {
    const detachControllers = () =>
      refuse(404, 'controller_not_found', 'Controller PUMP0001 does not exist.');
    open({ listControllers, detachControllers });
    await select('Select PUMP0001');
    fireEvent.click(await screen.findByRole('button', { name: 'Take out of group' }));
    expect(await screen.findByText('Controller PUMP0001 does not exist.')).toBeTruthy();
    expect(document.querySelectorAll('.Toastify__toast')).toHaveLength(1);
  });

  it('selected controllers are not moved by a viewer, with the reason', async () => {
    const pump = makeController({ serialNumber: 'PUMP0001', userRole: 'viewer' });
    const { callsOf } = open({ ...asRole('viewer'), listControllers: () => pageOf(pump) });
    await select('Select PUMP0001');
    const button = await screen.findByRole('button', { name: 'Take out of group' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(button);
    expect(callsOf('detachControllers')).toEqual([]);
  });
});

describe('rights on a part of the tree', () => {
  const inPart = { getOrganization: () => ({ ...organization, userRole: 'admin', isPartial: true }) };
  const reasonOf = async (name: string) =>
    (await screen.findByRole('button', { name })).getAttribute('aria-disabled');

  it('groups are changed where the role at them allows it, and not by what it is elsewhere', async () => {
    const listGroups = () => [
      makeGroup(northId, { name: 'North', userRole: 'admin' }),
      makeGroup(southId, { name: 'South', userRole: 'viewer' }),
    ];
    open({ ...inPart, listGroups });
    expect(await reasonOf('Actions for the group North')).toBeNull();
    expect(await reasonOf('Actions for the group South')).toBe('true');
    const create = screen.getByRole('button', { name: 'Create group' });
    expect(create.getAttribute('aria-disabled')).toBe('true');
    fireEvent.mouseEnter(create);
    expect(await screen.findByText('This takes the organization as a whole')).toBeTruthy();
  });

  it('selected controllers are moved where the role at each of them allows it', async () => {
    const north = makeController({ serialNumber: 'NORTH001', userRole: 'member' });
    const south = makeController({ serialNumber: 'SOUTH001', userRole: 'viewer' });
    open({ ...inPart, listControllers: () => pageOf(north, south) });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select NORTH001' }));
    expect(await reasonOf('Move to group…')).toBeNull();
    expect(await reasonOf('Update agents')).toBeNull();
    // Out of all groups is out of the part.
    expect(await reasonOf('Take out of group')).toBe('true');
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select SOUTH001' }));
    await waitFor(async () => expect(await reasonOf('Move to group…')).toBe('true'));
    expect(await reasonOf('Update agents')).toBe('true');
  });
});

describe('the export', () => {
  it('asks for all that the filters show, whatever page', async () => {
    const csv = new Response('serial_number\r\n', {
      headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="fleet.csv"' },
    });
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:csv');
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const address = `${list}?search=pump&status=offline&group_ids=${southId}&page=2`;
    const { callsOf } = open({ exportControllers: () => csv }, address);
    fireEvent.click(await screen.findByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(names).toEqual(['fleet.csv']));
    expect(callsOf('exportControllers').map(({ query }) => query)).toEqual([
      { organization_id: organization.id, search: 'pump', status: 'offline', group_ids: southId },
    ]);
  });
});
