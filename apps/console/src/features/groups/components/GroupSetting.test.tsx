import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, makeController, organization, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { makeGroup } from '../testing/make-group.ts';

const idOf = (digit: number) => `01890a5d-ac96-774b-bcce-b3020990000${digit}`;
const [northId, boilersId, southId] = [idOf(1), idOf(2), idOf(3)];
const boilers = { id: boilersId, name: 'Boilers', level: 1 };
const groups = () => [
  makeGroup(northId, { name: 'North', subgroups: [makeGroup(boilersId, { name: 'Boilers' })] }),
  makeGroup(southId, { name: 'South' }),
];

const open = (answers: Answers = {}) =>
  renderConsole(`/organizations/${organization.id}/controllers/A1B2C3D4?tab=settings`, {
    answers: { listGroups: groups, getController: () => makeController({ group: boilers }), ...answers },
  });
const section = async () => within(await screen.findByRole('region', { name: 'Group' }));
const choose = async (group: string) => {
  fireEvent.click((await section()).getByRole('button', { name: /group…/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Which group should A1B2C3D4 go to?' }));
  fireEvent.click(await dialog.findByRole('treeitem', { name: group }));
  fireEvent.click(dialog.getByRole('button', { name: 'Move' }));
};

describe('the group of a controller', () => {
  it('stands below the groups that it is in', async () => {
    open();
    const { findByText } = await section();
    expect((await findByText('North')).nextSibling?.textContent).toBe('Boilers');
  });

  it('the group of a controller is changed to one of the tree', async () => {
    let group = boilers;
    const { callsOf } = open({
      getController: () => makeController({ group }),
      attachControllers: () => {
        group = { id: southId, name: 'South', level: 0 };
        return { count: 1, moveId: idOf(9) };
      },
    });
    await choose('South');
    expect(await (await section()).findByText('South')).toBeTruthy();
    expect(callsOf('attachControllers')).toMatchObject([
      { params: { groupId: southId }, body: { controllers: ['A1B2C3D4'] } },
    ]);
  });

  it('a move of the controller is undone at a click, or says why not', async () => {
    let isLate = false;
    const { callsOf } = open({
      attachControllers: () => ({ count: 1, moveId: idOf(9) }),
      undoMove: () => (isLate ? refuse(404, 'move_not_found', 'Too late.') : { count: 1 }),
    });
    await choose('South');
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Move undone')).toBeTruthy();
    expect(callsOf('undoMove')).toMatchObject([{ params: { moveId: idOf(9) } }]);
    isLate = true;
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The move was not undone')).toBeTruthy();
    expect(screen.getByText('Too late.')).toBeTruthy();
  });

  it('the group of a controller is given up', async () => {
    const { callsOf } = open({ detachControllers: () => ({ count: 1, moveId: null }) });
    await choose('Ungrouped');
    await waitFor(() =>
      expect(callsOf('detachControllers').map(({ body }) => body)).toEqual([{ controllers: ['A1B2C3D4'] }]),
    );
  });

  it('the group of a controller that cannot be changed says why in the dialog', async () => {
    open({ attachControllers: () => refuse(404, 'group_not_found', 'This group does not exist.') });
    await choose('South');
    expect((await screen.findByText('This group does not exist.')).getAttribute('role')).toBe('alert');
  });

  it('follows without reload when somebody else moves the controller', async () => {
    let group = boilers;
    const { emit } = open({ getController: () => makeController({ group }) });
    expect(await (await section()).findByText('Boilers')).toBeTruthy();
    group = { id: southId, name: 'South', level: 0 };
    await emit({ type: 'group.changed', change: 'controllers', groupId: southId });
    expect(await (await section()).findByText('South')).toBeTruthy();
  });

  it('the group of a controller cannot be changed by a viewer, with the reason', async () => {
    open({ getController: () => makeController({ group: boilers, userRole: 'viewer' }) });
    const button = (await section()).getByRole('button', { name: 'Change group…' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(button);
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.mouseEnter(button);
    expect(await screen.findByText(/Viewers cannot do this/)).toBeTruthy();
  });
});
