import type { TestServer, TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AlertsFixture,
  createAlertsFixture,
  createAlertsServer,
  createEmptyFleet,
} from './alerts.fixture.ts';

let server: TestServer;
let owner: TestUser;
let fixture: AlertsFixture;

beforeAll(async () => {
  ({ server, owner } = await createAlertsServer());
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ fixture } = await createEmptyFleet(server, owner));
});

describe('the rule that counts', () => {
  const on = (minutes: number) => ({ minutes, enabled: true });
  const off = { minutes: 1, enabled: false };

  // Controllers: none (of no group), top, mid (in top), low (in mid), other (another root).
  it.each<[string, Record<string, { minutes: number; enabled: boolean }>, string[]]>([
    ['nowhere: nobody is notified', {}, []],
    ['of the organization is that of all', { all: on(5) }, ['low', 'mid', 'none', 'other', 'top']],
    ['of a group is that of all under it, and of nothing else', { top: on(5) }, ['low', 'mid', 'top']],
    ['in the middle of a tree leaves what is above', { mid: on(5) }, ['low', 'mid']],
    ['that is nearer wins: later', { all: on(5), top: on(60) }, ['none', 'other']],
    ['that is nearer wins: sooner', { all: on(60), mid: on(5) }, ['low', 'mid']],
    ['that is nearest of three wins', { all: on(5), top: on(60), low: on(5) }, ['low', 'none', 'other']],
    ['may switch off a subtree', { all: on(5), mid: off }, ['none', 'other', 'top']],
    ['may be switched on again below', { all: on(5), top: off, low: on(5) }, ['low', 'none', 'other']],
    ['may switch off the organization but for a group', { all: off, mid: on(5) }, ['low', 'mid']],
    ['is switched off for all', { all: off }, []],
  ])('%s', async (_, rules, expected) => {
    const top = await fixture.group('top');
    const mid = await fixture.group('mid', top);
    const low = await fixture.group('low', mid);
    const groups: Record<string, string | null> = {
      all: null,
      top,
      mid,
      low,
      other: await fixture.group('other'),
    };
    for (const [name, settings] of Object.entries(rules)) {
      await fixture.rule({ group: groups[name], ...settings });
    }
    const serialNumbers = ['NONE', 'TOP', 'MID', 'LOW', 'OTHER'];
    for (const each of serialNumbers) await fixture.controller(each, groups[each.toLowerCase()] ?? null);
    await fixture.goOffline(...serialNumbers);
    await fixture.pass(6);
    expect((await fixture.fired()).map((each) => each.toLowerCase())).toEqual(expected);
  });

  it('never reaches into another organization', async () => {
    await fixture.rule({ minutes: 1 });
    const elsewhere = await server.createOrganization(owner, 'Elsewhere');
    await createAlertsFixture(server, owner, elsewhere).controller('ELSE-1');
    await fixture.goOffline('ELSE-1');
    await fixture.pass(3);
    expect(
      await server.db.selectFrom('alerts').selectAll().where('organization_id', '=', elsewhere).execute(),
    ).toEqual([]);
  });

  it('follows a controller and a group that are moved while it is away', async () => {
    const quiet = await fixture.group('quiet');
    const loud = await fixture.group('loud');
    await fixture.rule({ group: quiet, enabled: false });
    await fixture.rule({ group: loud, minutes: 5 });
    await fixture.controller('MOVED-1', quiet);
    await fixture.goOffline('MOVED-1');
    await fixture.pass(6);
    expect(await fixture.fired()).toEqual([]);
    await server.db
      .updateTable('controllers')
      .set({ group_id: loud })
      .where('serial_number', '=', 'MOVED-1')
      .execute();
    await fixture.pass(1);
    expect(await fixture.fired()).toEqual(['MOVED-1']);
    // Back where nobody is notified: whoever was notified of this one is notified of its end.
    await server.db
      .updateTable('controllers')
      .set({ group_id: quiet })
      .where('serial_number', '=', 'MOVED-1')
      .execute();
    await fixture.pass(1);
    await fixture.comeOnline('MOVED-1');
    await fixture.pass(1);
    expect(await fixture.list()).toMatchObject([{ resolvedAt: expect.any(String) }]);
  });

  it('sends nothing more that is pending once it is changed, switched off or deleted', async () => {
    for (const end of ['off', 'deleted', 'group'] as const) {
      const group = await fixture.group(end);
      const { id } = await fixture.rule({ group, minutes: 1, members: [owner.id] });
      const serialNumber = `END-${end.toUpperCase()}`;
      await fixture.controller(serialNumber, group);
      await fixture.goOffline(serialNumber);
      await fixture.pass(1);
      expect(await fixture.fired()).toContain(serialNumber);
      if (end === 'off') await fixture.update(id, { enabled: false });
      if (end === 'deleted') await fixture.call('deleteAlertRule', { params: { ruleId: id } });
      if (end === 'group') await fixture.call('deleteGroup', { params: { groupId: group } });
      await fixture.pass(2);
      await fixture.comeOnline(serialNumber);
      await fixture.pass(2);
    }
    expect(await fixture.mails()).toEqual([]);
    expect((await fixture.list()).every(({ resolvedAt }) => resolvedAt !== null)).toBe(true);
  });

  it('sends what is pending when its rule is changed and stays on', async () => {
    const { id } = await fixture.rule({ minutes: 1, members: [owner.id] });
    await fixture.controller('STAYS-1');
    await fixture.goOffline('STAYS-1');
    await fixture.pass(1);
    expect(await fixture.fired()).toEqual(['STAYS-1']);
    expect(await fixture.mails()).toEqual([]);
    expect((await fixture.update(id, { minutes: 2 })).status).toBe(200);
    await fixture.pass(2);
    expect(await fixture.mails()).toHaveLength(1);
  });
});
