import type { OrganizationEvent } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fillFleet } from '../controllers/large-fleet.fixture.ts';
import { type AlertsFixture, createAlertsFixture, minute } from './alerts.fixture.ts';

let server: TestServer;
let owner: TestUser;
let organization: string;
let fixture: AlertsFixture;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser('owner@example.com');
  // Past the time in which a server that has just started says nothing.
  server.clock.advance(11 * minute);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('deliveries').execute();
  await server.db.deleteFrom('controllers').execute();
  await server.db.deleteFrom('enrolments').execute();
  organization = await server.createOrganization(owner, 'Heating');
  fixture = createAlertsFixture(server, owner, organization);
});

describe('an alert', () => {
  it('fires when the controller has been away for the minutes of its rule, and notifies the members', async () => {
    await fixture.rule({ minutes: 5, members: [owner.id] });
    await fixture.controller('A-1');
    await fixture.controller('A-2');
    await fixture.goOffline('A-1');
    const offlineSince = server.clock.now().toISOString();
    await fixture.pass(4);
    expect(await fixture.fired()).toEqual([]);
    await fixture.pass(1);
    const firedAt = server.clock.now().toISOString();
    expect(await fixture.list()).toEqual([
      {
        id: expect.any(String),
        controller: { serialNumber: 'A-1', description: '' },
        group: null,
        offlineSince,
        firedAt,
        notifiedAt: null,
        resolvedAt: null,
      },
    ]);
    await fixture.pass(1);
    expect((await fixture.list())[0]?.notifiedAt).toBe(server.clock.now().toISOString());
    expect(await fixture.mails()).toEqual(['owner@example.com: Controller A-1 is offline – Heating']);
    await fixture.pass(30);
    expect(await fixture.mails()).toHaveLength(1);
  });

  it('resolves and notifies again when the controller is back', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    await fixture.controller('B-1');
    await fixture.goOffline('B-1');
    await fixture.pass(2);
    await fixture.comeOnline('B-1');
    await fixture.pass(2);
    expect(await fixture.mails()).toEqual([
      'owner@example.com: Controller B-1 is offline – Heating',
      'owner@example.com: Controller B-1 is back online – Heating',
    ]);
    expect(await fixture.list()).toMatchObject([{ resolvedAt: expect.any(String) }]);
    // And anew when it goes offline anew.
    await fixture.goOffline('B-1');
    await fixture.pass(2);
    expect(await fixture.mails()).toHaveLength(3);
    expect(await fixture.list()).toMatchObject([{ resolvedAt: null }, { resolvedAt: expect.any(String) }]);
  });

  it('an alert that resolves before it was notified sends nothing', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    await fixture.controller('C-1');
    await fixture.goOffline('C-1');
    await fixture.pass(1);
    await fixture.comeOnline('C-1');
    await fixture.pass(5);
    expect(await fixture.mails()).toEqual([]);
    expect(await fixture.list()).toMatchObject([{ notifiedAt: null, resolvedAt: expect.any(String) }]);
  });

  it('never fires for a controller that was never seen', async () => {
    await fixture.rule({ minutes: 1 });
    await fixture.controller('D-1');
    await fixture.setStatus('never', ['D-1']);
    await fixture.pass(5);
    expect(await fixture.fired()).toEqual([]);
  });

  it('fires for what went offline within a day before the rule, and for nothing older', async () => {
    await fixture.controller('E-1');
    await fixture.controller('E-2');
    await fixture.goOffline('E-1');
    server.clock.advance(24 * 60 * minute + 1);
    await fixture.goOffline('E-2');
    server.clock.advance(60 * minute);
    await fixture.rule({ minutes: 10 });
    await fixture.pass(1);
    expect(await fixture.fired()).toEqual(['E-2']);
  });

  it('notifies each member in their own language', async () => {
    const anna = await server.createUser(`anna-${organization}@example.com`);
    await server.addMember(organization, anna, 'viewer');
    await server.db.updateTable('users').set({ locale: 'ru' }).where('id', '=', anna.id).execute();
    const group = await fixture.group('Котельная');
    await fixture.rule({ minutes: 3, members: [owner.id, anna.id] });
    await fixture.controller('F-1', group);
    await fixture.goOffline('F-1');
    const since = server.clock.now().toISOString().slice(0, 16).replace('T', ' ');
    await fixture.pass(4);
    const mails = await server.readMails();
    expect(mails.map(({ to, subject, paragraphs }) => ({ to, subject, paragraphs }))).toEqual([
      {
        to: anna.email,
        subject: 'Контроллер F-1 не в сети — Heating',
        paragraphs: [
          'Дольше 3 мин нет связи с контроллерами организации «Heating»: 1.',
          `Группа «Котельная»: 1\nF-1 — не в сети с ${since} UTC`,
        ],
      },
      {
        to: owner.email,
        subject: 'Controller F-1 is offline – Heating',
        paragraphs: [
          'Controllers of “Heating” that have not been seen for over 3 min: 1.',
          `Group “Котельная”: 1\nF-1 – offline since ${since} UTC`,
        ],
      },
    ]);
    expect(mails[0]?.action).toEqual({
      label: 'Открыть оповещения',
      url: `${server.publicUrl}/organizations/${organization}/alerts`,
    });
  });
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
});

describe('many alerts', () => {
  it('fold into one message by group when they come within a short time, and so do their ends', async () => {
    const [north, south] = [await fixture.group('North'), await fixture.group('South')];
    await fixture.rule({ minutes: 2, members: [owner.id] });
    const places: [string, string | null][] = [
      ['N-1', north],
      ['N-2', north],
      ['S-1', south],
      ['X-1', null],
    ];
    for (const [serialNumber, group] of places) await fixture.controller(serialNumber, group);
    await fixture.goOffline('N-1', 'S-1');
    server.clock.advance(20_000);
    await fixture.goOffline('N-2', 'X-1');
    server.clock.advance(-20_000);
    await fixture.pass(4);
    const [mail, ...others] = await server.readMails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('4 controllers are offline – Heating');
    expect(
      mail?.paragraphs.slice(1).map((paragraph) => paragraph.split('\n').map((line) => line.split(' – ')[0])),
    ).toEqual([
      ['Group “North”: 2', 'N-1', 'N-2'],
      ['Group “South”: 1', 'S-1'],
      ['No group: 1', 'X-1'],
    ]);
    await fixture.comeOnline('N-1', 'N-2', 'S-1', 'X-1');
    await fixture.pass(3);
    expect((await fixture.mails()).slice(1)).toEqual([
      'owner@example.com: 4 controllers are back online – Heating',
    ]);
  });

  it('leave out a deleted controller', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    await fixture.controller('KEPT-1');
    await fixture.controller('GONE-1');
    await fixture.goOffline('KEPT-1', 'GONE-1');
    await fixture.pass(1);
    await fixture.call('deleteController', { params: { serialNumber: 'GONE-1' } });
    await fixture.pass(1);
    expect(await fixture.mails()).toEqual(['owner@example.com: Controller KEPT-1 is offline – Heating']);
    expect(await fixture.fired()).toEqual(['KEPT-1']);
  });

  it('make one short mail to each member for 10,000 controllers at once', async () => {
    await fillFleet(server.db, organization, 10_000);
    const members = await Promise.all(
      [1, 2, 3].map(async () => {
        const user = await server.createUser();
        await server.addMember(organization, user, 'member');
        return user.id;
      }),
    );
    await fixture.rule({ minutes: 5, members: [owner.id, ...members] });
    const now = server.clock.now();
    await server.db
      .updateTable('controllers')
      .set({ status: 'offline', status_since: now, last_seen_at: now })
      .execute();
    server.clock.advance(5 * minute);
    await fixture.evaluate();
    await fixture.pass(1);
    const { count } = (await fixture.call('listAlerts')).body as { count: number };
    expect(count).toBe(10_000);
    const mails = await server.readMails();
    expect(mails).toHaveLength(4);
    expect(mails[0]?.subject).toBe('10000 controllers are offline – Heating');
    expect(mails[0]?.paragraphs.length).toBeLessThan(25);
    expect(mails[0]?.paragraphs.join('\n').length).toBeLessThan(5000);
  }, 60_000);
});

describe('a server that was restarted', () => {
  it('fires nothing until the fleet has had ten minutes to come back, and then for those who did not', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    for (const serialNumber of ['BEFORE-1', 'AWAY-1', 'BACK-1']) await fixture.controller(serialNumber);
    await fixture.goOffline('BEFORE-1');
    server.clock.advance(30_000);
    // Of the same database, as it is started again an hour later.
    server.clock.advance(60 * minute);
    await using restarted = await restart();
    await fixture.setStatus('offline', ['AWAY-1', 'BACK-1'], 'server_restart');
    for (let count = 0; count < 9; count += 1) {
      server.clock.advance(minute);
      await restarted.evaluate();
    }
    expect(await fixture.fired()).toEqual([]);
    await fixture.comeOnline('BACK-1');
    server.clock.advance(minute);
    await restarted.evaluate();
    expect(await fixture.fired()).toEqual(['AWAY-1', 'BEFORE-1']);
  });

  /** Another server process over the same database. */
  async function restart() {
    const { composeServer } = await import('../../compose.ts');
    const { loadConfig } = await import('../../config/config.ts');
    const { readEnvironment } = await import('../../config/env.ts');
    const { createLog } = await import('../../platform/log.ts');
    const environment = readEnvironment({ env: { SSH_JUMP_PORT: '0' }, directory: null });
    const composed = await composeServer({
      config: loadConfig(environment, { version: '0.0.0-test' }),
      secrets: server.secrets,
      db: server.db,
      log: createLog('silent'),
      clock: server.clock,
    });
    return {
      evaluate: async () => composed.jobs.find(({ name }) => name === 'evaluate-alerts')?.run(),
      [Symbol.asyncDispose]: () => composed.close(0),
    };
  }
});

describe('workers that evaluate at the same time', () => {
  it('fire and notify each alert once, and each end once', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    const serialNumbers = Array.from({ length: 50 }, (_, number) => `RACE-${number}`);
    for (const each of serialNumbers) await fixture.controller(each);
    await fixture.goOffline(...serialNumbers);
    const together = () => Promise.all(Array.from({ length: 8 }, () => fixture.evaluate()));
    for (let count = 0; count < 3; count += 1) {
      server.clock.advance(minute);
      await together();
    }
    expect(await fixture.fired()).toHaveLength(50);
    expect(await fixture.mails()).toEqual(['owner@example.com: 50 controllers are offline – Heating']);
    await fixture.comeOnline(...serialNumbers);
    for (let count = 0; count < 3; count += 1) {
      server.clock.advance(minute);
      await together();
    }
    expect(await fixture.mails()).toHaveLength(2);
  });

  it('keep one alert a controller while statuses change, controllers are deleted and rules are switched', async () => {
    const { id } = await fixture.rule({ minutes: 1, members: [owner.id] });
    const serialNumbers = Array.from({ length: 20 }, (_, number) => `MESS-${number}`);
    for (const each of serialNumbers) await fixture.controller(each);
    for (let round = 0; round < 10; round += 1) {
      server.clock.advance(minute);
      const victim = serialNumbers[round] ?? '';
      await Promise.all([
        fixture.evaluate(),
        fixture.goOffline(...serialNumbers.slice(round + 1)),
        fixture.evaluate(),
        fixture.call('deleteController', { params: { serialNumber: victim } }),
        fixture.update(id, { enabled: round % 2 === 0 }),
        fixture.evaluate(),
        ...(round % 3 === 2 ? [fixture.comeOnline(...serialNumbers)] : []),
      ]);
    }
    const open = await fixture.list({ state: 'firing', page_size: '500' });
    const names = open.map(({ controller }) => controller.serialNumber);
    expect(new Set(names).size).toBe(names.length);
  });
});

it('publishes a fired alert to the pages that are open', async () => {
  const seen: OrganizationEvent[] = [];
  await fixture.rule({ minutes: 1 });
  await fixture.controller('EVENT-1');
  await fixture.goOffline('EVENT-1');
  const stop = server.server.events.subscribe('organization', ({ event, organizationId }) => {
    if (organizationId === organization) seen.push(event);
  });
  await fixture.pass(1);
  expect(seen).toEqual([{ type: 'alerts.changed', change: 'alerts' }]);
  await fixture.pass(1);
  await fixture.pass(1);
  stop();
  expect(seen).toHaveLength(2);
});

it('deletes alerts that were resolved 90 days ago, and keeps firing ones', async () => {
  await fixture.rule({ minutes: 1 });
  for (const each of ['OLD-1', 'OPEN-1']) await fixture.controller(each);
  await fixture.goOffline('OLD-1', 'OPEN-1');
  await fixture.pass(1);
  await fixture.comeOnline('OLD-1');
  await fixture.pass(1);
  const run = async () => server.server.jobs.find(({ name }) => name === 'delete-old-alerts')?.run();
  const serials = async () => {
    const rows = await server.db
      .selectFrom('alerts')
      .innerJoin('controllers', 'controllers.id', 'controller_id')
      .select('serial_number')
      .orderBy('serial_number')
      .execute();
    return rows.map((row) => row.serial_number);
  };
  server.clock.advance(90 * 24 * 60 * minute);
  await run();
  expect(await serials()).toEqual(['OLD-1', 'OPEN-1']);
  server.clock.advance(1);
  await run();
  expect(await serials()).toEqual(['OPEN-1']);
});
