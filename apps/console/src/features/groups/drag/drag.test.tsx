import type { Role } from '@pult/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Answers,
  asRole,
  makeController,
  organization,
  pageOf,
  refuse,
} from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { dragOver } from '../testing/drag.ts';
import { makeGroup } from '../testing/make-group.ts';
import { showWideScreen } from '../testing/wide-screen.ts';

const list = `/organizations/${organization.id}/controllers`;
const idOf = (digit: number) => `01890a5d-ac96-774b-bcce-b3020990000${digit}`;
const [northId, boilersId, southId] = [idOf(1), idOf(2), idOf(3)];
const groups = () => [
  makeGroup(northId, { name: 'North', subgroups: [makeGroup(boilersId, { name: 'Boilers' })] }),
  makeGroup(southId, { name: 'South' }),
];
const groupsOf = (userRole: Role) => [
  makeGroup(northId, { name: 'North', userRole }),
  makeGroup(southId, { name: 'South', userRole }),
];
const pump = makeController({ serialNumber: 'PUMP0001' });
const valve = makeController({ serialNumber: 'VALVE001', group: { id: southId, name: 'South', level: 0 } });

beforeEach(showWideScreen);

const open = (answers: Answers = {}) =>
  renderConsole(list, {
    answers: { listGroups: groups, listControllers: () => pageOf(makeController(), pump, valve), ...answers },
  });
const item = (name: RegExp) => screen.findByRole('treeitem', { name });
const row = (name: RegExp) => screen.findByRole('row', { name });

describe('a group that is dragged', () => {
  it('goes into the group that it is dropped on, which then shows it', async () => {
    const { callsOf } = open({ updateGroup: () => makeGroup(southId) });
    const drag = await dragOver(await item(/South/), await item(/North/));
    expect(screen.getByText('Move to “North”')).toBeTruthy();
    await drag.drop();
    expect(await screen.findByText('Group moved')).toBeTruthy();
    expect(callsOf('updateGroup')).toMatchObject([
      { params: { groupId: southId }, body: { parent: northId } },
    ]);
    expect(await item(/Boilers/)).toBeTruthy();
  });

  it('goes back at a click on Undo, if it is still where it was put', async () => {
    const { callsOf } = open({ updateGroup: () => makeGroup(southId, { parent: northId }) });
    const drag = await dragOver(await item(/South/), await item(/North/));
    await drag.drop();
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Move undone')).toBeTruthy();
    expect(callsOf('updateGroup')[1]).toMatchObject({
      params: { groupId: southId },
      body: { parent: null, expectedParent: northId },
    });
  });

  it('goes to the top by the row that says so while it is dragged', async () => {
    const { callsOf } = open({ updateGroup: () => makeGroup(boilersId) });
    fireEvent.keyDown(await screen.findByRole('tree'), { key: 'End' });
    for (const key of ['ArrowUp', 'ArrowRight']) fireEvent.keyDown(await screen.findByRole('tree'), { key });
    const all = await item(/All controllers/);
    const drag = await dragOver(await item(/Boilers/), all);
    expect(all.getAttribute('aria-label')).toBe('Top level');
    await drag.drop();
    await waitFor(() => expect(callsOf('updateGroup')).toMatchObject([{ body: { parent: null } }]));
    expect((await item(/All controllers/)).getAttribute('data-drop')).toBeNull();
  });

  it('opens the closed group that it is held over', async () => {
    open();
    const drag = await dragOver(await item(/South/), await item(/North/));
    expect(await item(/Boilers/)).toBeTruthy();
    await drag.cancel();
  });

  it('says where it cannot go, and does not go there', async () => {
    const { callsOf } = open();
    const north = await item(/North/);
    const drag = await dragOver(north, north);
    expect(screen.getByText('A group cannot go into itself')).toBeTruthy();
    expect(north.getAttribute('data-drop')).toBe('no');
    await drag.drop();
    expect(callsOf('updateGroup')).toEqual([]);
  });

  it('stays where it is when the drag is given up', async () => {
    const { callsOf } = open();
    const drag = await dragOver(await item(/South/), await item(/North/));
    await drag.cancel();
    expect(screen.queryByText('Move to “North”')).toBeNull();
    expect(callsOf('updateGroup')).toEqual([]);
  });

  it('a group that is dragged is told why the server refused it', async () => {
    open({ updateGroup: () => refuse(400, 'group_cycle', 'Not into itself.') });
    const drag = await dragOver(await item(/South/), await item(/North/));
    await drag.drop();
    expect(await screen.findByText('Not into itself.')).toBeTruthy();
  });

  it('goes nowhere for a member, with the reason', async () => {
    const { callsOf } = open({
      ...asRole('member'),
      listControllers: () => pageOf(pump),
      listGroups: () => groupsOf('member'),
    });
    await row(/PUMP0001/);
    const drag = await dragOver(await item(/South/), await item(/North/));
    expect(screen.getByText(/Only admins and owners can do this/)).toBeTruthy();
    await drag.drop();
    expect(callsOf('updateGroup')).toEqual([]);
  });
});

describe('controllers that are dragged', () => {
  it('go into the group that they are dropped on: the one, where it is not selected', async () => {
    const { callsOf } = open({ attachControllers: () => ({ count: 1, moveId: null }) });
    const drag = await dragOver(await row(/PUMP0001/), await item(/South/));
    expect(screen.getByText('Move to “South”')).toBeTruthy();
    await drag.drop();
    expect(await screen.findByText('Controller moved to the group “South”')).toBeTruthy();
    expect(callsOf('attachControllers')).toMatchObject([
      { params: { groupId: southId }, body: { controllers: ['PUMP0001'] } },
    ]);
  });

  it('controllers that are dragged are all that are selected, where the dragged one is', async () => {
    const { callsOf } = open({ detachControllers: () => ({ count: 2, moveId: null }) });
    for (const name of ['Select PUMP0001', 'Select VALVE001']) {
      fireEvent.click(await screen.findByRole('checkbox', { name }));
    }
    const drag = await dragOver(await row(/PUMP0001/), await item(/Ungrouped/));
    expect(screen.getByText('Take out of the group')).toBeTruthy();
    await drag.drop();
    await waitFor(() =>
      expect(callsOf('detachControllers').map(({ body }) => body)).toEqual([
        { controllers: ['PUMP0001', 'VALVE001'] },
      ]),
    );
  });

  it('controllers that are dragged are not dropped on the group that they are in', async () => {
    const { callsOf } = open();
    const drag = await dragOver(await row(/VALVE001/), await item(/South/));
    expect(screen.getByText('It is here already')).toBeTruthy();
    await drag.drop();
    expect(callsOf('attachControllers')).toEqual([]);
  });

  it('go nowhere for a viewer, with the reason', async () => {
    const { callsOf } = open({
      listControllers: () => pageOf(makeController({ serialNumber: 'PUMP0001', userRole: 'viewer' })),
    });
    const drag = await dragOver(await row(/PUMP0001/), await item(/South/));
    expect(screen.getByText(/Viewers cannot do this/)).toBeTruthy();
    await drag.drop();
    expect(callsOf('attachControllers')).toEqual([]);
  });
  it('controllers that are dragged are not dropped where the role is too weak', async () => {
    const listGroups = () => [
      makeGroup(southId, { name: 'South', userRole: 'viewer' }),
      ...groupsOf('member').slice(0, 1),
    ];
    const { callsOf } = open({ listGroups });
    const drag = await dragOver(await row(/PUMP0001/), await item(/South/));
    expect(screen.getByText(/Viewers cannot do this/)).toBeTruthy();
    await drag.drop();
    expect(callsOf('attachControllers')).toEqual([]);
  });
});
