import { describe, expect, it } from 'vitest';
import { useAttachmentFixture } from './attachment.fixture.ts';

const t = useAttachmentFixture();

describe('a move of controllers', () => {
  const moveIdOf = ({ body }: { body: unknown }) => (body as { moveId: string | null }).moveId ?? '';
  const undo = (moveId: string, as = t.admin) => t.server.call('undoMove', { as, params: { moveId } });
  const gone = { status: 404, body: { code: 'move_not_found' } };

  it('a move can be undone once: each controller goes back to where it was', async () => {
    const [a, b, c] = t.serialNumbers;
    const other = await t.fixture.createId(t.organization, 'other');
    await t.fixture.attach(other, { controllers: [a] });
    const moved = await t.fixture.attach(t.group, { controllers: [a, b, c] });
    expect(await t.inGroup()).toEqual([a, b, c]);
    const answers = await Promise.all([undo(moveIdOf(moved)), undo(moveIdOf(moved))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ count: 3 });
    expect(await t.inGroup(other)).toEqual([a]);
    expect(await t.inGroup(null)).toEqual([b, c]);
    expect(await undo(moveIdOf(moved))).toMatchObject(gone);
    const { body } = await t.server.call('listAuditEvents', {
      as: t.admin,
      params: { organizationId: t.organization },
      query: { action: 'controllers.returned' },
    });
    expect(body).toMatchObject({ count: 1, results: [{ subject: 'group', details: { count: 3 } }] });
  });

  it('a move out of groups is undone for those that are still in none', async () => {
    const [a, b, c] = t.serialNumbers;
    const later = await t.fixture.createId(t.organization, 'later');
    await t.fixture.attach(t.group, { controllers: [a, b, c] });
    const moved = await t.fixture.detach({ filter: { organization_id: t.organization } });
    await t.fixture.attach(later, { controllers: [b] });
    expect(await undo(moveIdOf(moved))).toMatchObject({ status: 200, body: { count: 2 } });
    expect(await t.inGroup()).toEqual([a, c]);
    expect(await t.inGroup(later)).toEqual([b]);
  });

  it('a controller whose former group is gone stays where the move put it', async () => {
    const [a] = t.serialNumbers;
    const former = await t.fixture.createId(t.organization, 'former');
    await t.fixture.attach(former, { controllers: [a] });
    const moved = await t.fixture.attach(t.group, { controllers: [a] });
    await t.server.call('deleteGroup', { as: t.admin, params: { groupId: former } });
    expect(await undo(moveIdOf(moved))).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await t.inGroup()).toEqual([a]);
  });

  it('a move of nothing has nothing to undo, and one of 15 seconds ago stays', async () => {
    const [a] = t.serialNumbers;
    const moved = await t.fixture.attach(t.group, { controllers: [a] });
    expect(await t.fixture.attach(t.group, { controllers: [a] })).toMatchObject({
      body: { count: 1, moveId: null },
    });
    t.server.clock.advance(16_000);
    expect(await undo(moveIdOf(moved))).toMatchObject(gone);
    expect(await t.inGroup()).toEqual([a]);
  });

  it('a move is undone by nobody else’s organization, and not as the deletion of a group', async () => {
    const [a] = t.serialNumbers;
    const stranger = await t.server.createUser();
    await t.server.createOrganization(stranger, 'Elsewhere');
    const moveId = moveIdOf(await t.fixture.attach(t.group, { controllers: [a] }));
    expect(await undo(moveId, stranger)).toMatchObject(gone);
    const restored = await t.server.call('restoreGroup', { as: t.admin, params: { groupId: moveId } });
    expect(restored.status).toBe(404);
    await t.server.call('deleteGroup', { as: t.admin, params: { groupId: t.group } });
    expect(await undo(t.group)).toMatchObject(gone);
  });

  it('a group goes back by its parent, unless it has been moved on meanwhile', async () => {
    const first = await t.fixture.createId(t.organization, 'first');
    const second = await t.fixture.createId(t.organization, 'second');
    const move = (body: object) =>
      t.server.call('updateGroup', { as: t.admin, params: { groupId: t.group }, body });
    await move({ parent: first });
    expect(await move({ parent: null, expectedParent: second })).toMatchObject({
      status: 409,
      body: { code: 'group_moved' },
    });
    expect(await move({ parent: null, expectedParent: first })).toMatchObject({
      status: 200,
      body: { parent: null },
    });
    expect((await move({ parent: second, expectedParent: null })).status).toBe(200);
  });
});
