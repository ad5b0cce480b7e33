import type { OrganizationEvent } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fillFleet } from '../controllers/large-fleet.fixture.ts';
import { createNoticeFixture, minute, type NoticeFixture } from './notices.fixture.ts';

let server: TestServer;
let owner: TestUser;
let organization: string;
let fixture: NoticeFixture;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser('owner@example.com');
  // Past the time in which a server that has just started says nothing.
  server.clock.advance(11 * minute);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('mails').execute();
  await server.db.deleteFrom('controllers').execute();
  await server.db.deleteFrom('enrolments').execute();
  organization = await server.createOrganization(owner, 'Heating');
  fixture = createNoticeFixture(server, owner, organization);
});

describe('a loss', () => {
  it('is raised when the controller has been away for the minutes of the rule, and told to its members', async () => {
    await fixture.rule({ minutes: 5, members: [owner.id] });
    await fixture.controller('A-1');
    await fixture.controller('A-2');
    await fixture.lose('A-1');
    const lostAt = server.clock.now().toISOString();
    await fixture.pass(4);
    expect(await fixture.raised()).toEqual([]);
    await fixture.pass(1);
    const raisedAt = server.clock.now().toISOString();
    expect(await fixture.list()).toEqual([
      {
        id: expect.any(String),
        controller: { serialNumber: 'A-1', description: '' },
        group: null,
        lostAt,
        raisedAt,
        toldAt: null,
        recoveredAt: null,
      },
    ]);
    await fixture.pass(1);
    expect((await fixture.list())[0]?.toldAt).toBe(server.clock.now().toISOString());
    expect(await fixture.mails()).toEqual(['owner@example.com: Controller A-1 is offline – Heating']);
    await fixture.pass(30);
    expect(await fixture.mails()).toHaveLength(1);
  });

  it('is told again as its end, when the controller is back', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    await fixture.controller('B-1');
    await fixture.lose('B-1');
    await fixture.pass(2);
    await fixture.find('B-1');
    await fixture.pass(2);
    expect(await fixture.mails()).toEqual([
      'owner@example.com: Controller B-1 is offline – Heating',
      'owner@example.com: Controller B-1 is back online – Heating',
    ]);
    expect(await fixture.list()).toMatchObject([{ recoveredAt: expect.any(String) }]);
    // And anew when it is lost anew.
    await fixture.lose('B-1');
    await fixture.pass(2);
    expect(await fixture.mails()).toHaveLength(3);
    expect(await fixture.list()).toMatchObject([{ recoveredAt: null }, { recoveredAt: expect.any(String) }]);
  });

  it('that ends before it was told is not told, nor its end', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    await fixture.controller('C-1');
    await fixture.lose('C-1');
    await fixture.pass(1);
    await fixture.find('C-1');
    await fixture.pass(5);
    expect(await fixture.mails()).toEqual([]);
    expect(await fixture.list()).toMatchObject([{ toldAt: null, recoveredAt: expect.any(String) }]);
  });

  it('of a controller that was never seen is none', async () => {
    await fixture.rule({ minutes: 1 });
    await fixture.controller('D-1');
    await fixture.setStatus('never', ['D-1']);
    await fixture.pass(5);
    expect(await fixture.raised()).toEqual([]);
  });

  it('from more than a day before the rule is left alone; a later one counts', async () => {
    await fixture.controller('E-1');
    await fixture.controller('E-2');
    await fixture.lose('E-1');
    server.clock.advance(24 * 60 * minute + 1);
    await fixture.lose('E-2');
    server.clock.advance(60 * minute);
    await fixture.rule({ minutes: 10 });
    await fixture.pass(1);
    expect(await fixture.raised()).toEqual(['E-2']);
  });

  it('is told to each member in their own language', async () => {
    const anna = await server.createUser(`anna-${organization}@example.com`);
    await server.addMember(organization, anna, 'viewer');
    await server.db.updateTable('users').set({ locale: 'ru' }).where('id', '=', anna.id).execute();
    const group = await fixture.group('Котельная');
    await fixture.rule({ minutes: 3, members: [owner.id, anna.id] });
    await fixture.controller('F-1', group);
    await fixture.lose('F-1');
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
      label: 'Открыть уведомления',
      url: `${server.publicUrl}/organizations/${organization}/notices`,
    });
  });
});

describe('the rule that counts', () => {
  const on = (minutes: number) => ({ minutes, enabled: true });
  const off = { minutes: 1, enabled: false };

  // Controllers: none (of no group), top, mid (in top), low (in mid), other (another root).
  it.each<[string, Record<string, { minutes: number; enabled: boolean }>, string[]]>([
    ['nowhere: nobody is told', {}, []],
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
    await fixture.lose(...serialNumbers);
    await fixture.pass(6);
    expect((await fixture.raised()).map((each) => each.toLowerCase())).toEqual(expected);
  });

  it('is of its own organization only', async () => {
    await fixture.rule({ minutes: 1 });
    const elsewhere = await server.createOrganization(owner, 'Elsewhere');
    await createNoticeFixture(server, owner, elsewhere).controller('ELSE-1');
    await fixture.lose('ELSE-1');
    await fixture.pass(3);
    expect(
      await server.db.selectFrom('notices').selectAll().where('organization_id', '=', elsewhere).execute(),
    ).toEqual([]);
  });

  it('follows a controller and a group that are moved while it is away', async () => {
    const quiet = await fixture.group('quiet');
    const loud = await fixture.group('loud');
    await fixture.rule({ group: quiet, enabled: false });
    await fixture.rule({ group: loud, minutes: 5 });
    await fixture.controller('MOVED-1', quiet);
    await fixture.lose('MOVED-1');
    await fixture.pass(6);
    expect(await fixture.raised()).toEqual([]);
    await server.db
      .updateTable('controllers')
      .set({ group_id: loud })
      .where('serial_number', '=', 'MOVED-1')
      .execute();
    await fixture.pass(1);
    expect(await fixture.raised()).toEqual(['MOVED-1']);
    // Back where nobody is told of losses: whoever was told of this one is told of its end.
    await server.db
      .updateTable('controllers')
      .set({ group_id: quiet })
      .where('serial_number', '=', 'MOVED-1')
      .execute();
    await fixture.pass(1);
    await fixture.find('MOVED-1');
    await fixture.pass(1);
    expect(await fixture.list()).toMatchObject([{ recoveredAt: expect.any(String) }]);
  });

  it('that is changed, switched off or deleted tells nothing more of what it was about to', async () => {
    for (const end of ['off', 'deleted', 'group'] as const) {
      const group = await fixture.group(end);
      const { id } = await fixture.rule({ group, minutes: 1, members: [owner.id] });
      const serialNumber = `END-${end.toUpperCase()}`;
      await fixture.controller(serialNumber, group);
      await fixture.lose(serialNumber);
      await fixture.pass(1);
      expect(await fixture.raised()).toContain(serialNumber);
      if (end === 'off') await fixture.update(id, { enabled: false });
      if (end === 'deleted') await fixture.call('deleteNoticeRule', { params: { ruleId: id } });
      if (end === 'group') await fixture.call('deleteGroup', { params: { groupId: group } });
      await fixture.pass(2);
      await fixture.find(serialNumber);
      await fixture.pass(2);
    }
    expect(await fixture.mails()).toEqual([]);
    expect((await fixture.list()).every(({ recoveredAt }) => recoveredAt !== null)).toBe(true);
  });
});

describe('many losses', () => {
  it('within a short time are one message, by group; and so are their ends', async () => {
    const [north, south] = [await fixture.group('North'), await fixture.group('South')];
    await fixture.rule({ minutes: 2, members: [owner.id] });
    const places: [string, string | null][] = [
      ['N-1', north],
      ['N-2', north],
      ['S-1', south],
      ['X-1', null],
    ];
    for (const [serialNumber, group] of places) await fixture.controller(serialNumber, group);
    await fixture.lose('N-1', 'S-1');
    server.clock.advance(20_000);
    await fixture.lose('N-2', 'X-1');
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
    await fixture.find('N-1', 'N-2', 'S-1', 'X-1');
    await fixture.pass(3);
    expect((await fixture.mails()).slice(1)).toEqual([
      'owner@example.com: 4 controllers are back online – Heating',
    ]);
  });

  it('a deleted controller is left out, with what was raised of it', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    await fixture.controller('KEPT-1');
    await fixture.controller('GONE-1');
    await fixture.lose('KEPT-1', 'GONE-1');
    await fixture.pass(1);
    await fixture.call('deleteController', { params: { serialNumber: 'GONE-1' } });
    await fixture.pass(1);
    expect(await fixture.mails()).toEqual(['owner@example.com: Controller KEPT-1 is offline – Heating']);
    expect(await fixture.raised()).toEqual(['KEPT-1']);
  });

  it('of 10,000 controllers at once are one short mail to each member', async () => {
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
    await fixture.look();
    await fixture.pass(1);
    const { count } = (await fixture.call('listNotices')).body as { count: number };
    expect(count).toBe(10_000);
    const mails = await server.readMails();
    expect(mails).toHaveLength(4);
    expect(mails[0]?.subject).toBe('10000 controllers are offline – Heating');
    expect(mails[0]?.paragraphs.length).toBeLessThan(25);
    expect(mails[0]?.paragraphs.join('\n').length).toBeLessThan(5000);
  }, 60_000);
});

describe('a server that was restarted', () => {
  it('raises nothing until the fleet has had ten minutes to come back, and then those who did not', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    for (const serialNumber of ['BEFORE-1', 'AWAY-1', 'BACK-1']) await fixture.controller(serialNumber);
    await fixture.lose('BEFORE-1');
    server.clock.advance(30_000);
    // Of the same database, as it is started again an hour later.
    server.clock.advance(60 * minute);
    await using restarted = await restart();
    await fixture.setStatus('offline', ['AWAY-1', 'BACK-1'], 'server_restart');
    for (let count = 0; count < 9; count += 1) {
      server.clock.advance(minute);
      await restarted.look();
    }
    expect(await fixture.raised()).toEqual([]);
    await fixture.find('BACK-1');
    server.clock.advance(minute);
    await restarted.look();
    expect(await fixture.raised()).toEqual(['AWAY-1', 'BEFORE-1']);
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
      look: async () => composed.jobs.find(({ name }) => name === 'raise-notices')?.run(),
      [Symbol.asyncDispose]: () => composed.close(0),
    };
  }
});

describe('workers that look at the same time', () => {
  it('raise and tell each loss once, and each end once', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    const serialNumbers = Array.from({ length: 50 }, (_, number) => `RACE-${number}`);
    for (const each of serialNumbers) await fixture.controller(each);
    await fixture.lose(...serialNumbers);
    const together = () => Promise.all(Array.from({ length: 8 }, () => fixture.look()));
    for (let count = 0; count < 3; count += 1) {
      server.clock.advance(minute);
      await together();
    }
    expect(await fixture.raised()).toHaveLength(50);
    expect(await fixture.mails()).toEqual(['owner@example.com: 50 controllers are offline – Heating']);
    await fixture.find(...serialNumbers);
    for (let count = 0; count < 3; count += 1) {
      server.clock.advance(minute);
      await together();
    }
    expect(await fixture.mails()).toHaveLength(2);
  });

  it('do so while statuses change, controllers are deleted and rules are switched', async () => {
    const { id } = await fixture.rule({ minutes: 1, members: [owner.id] });
    const serialNumbers = Array.from({ length: 20 }, (_, number) => `MESS-${number}`);
    for (const each of serialNumbers) await fixture.controller(each);
    for (let round = 0; round < 10; round += 1) {
      server.clock.advance(minute);
      const victim = serialNumbers[round] ?? '';
      await Promise.all([
        fixture.look(),
        fixture.lose(...serialNumbers.slice(round + 1)),
        fixture.look(),
        fixture.call('deleteController', { params: { serialNumber: victim } }),
        fixture.update(id, { enabled: round % 2 === 0 }),
        fixture.look(),
        ...(round % 3 === 2 ? [fixture.find(...serialNumbers)] : []),
      ]);
    }
    const open = await fixture.list({ state: 'open', page_size: '500' });
    const names = open.map(({ controller }) => controller.serialNumber);
    expect(new Set(names).size).toBe(names.length);
  });
});

it('tells the pages that are open', async () => {
  const seen: OrganizationEvent[] = [];
  await fixture.rule({ minutes: 1 });
  await fixture.controller('EVENT-1');
  await fixture.lose('EVENT-1');
  const stop = server.server.events.subscribe('organization', ({ event, organizationId }) => {
    if (organizationId === organization) seen.push(event);
  });
  await fixture.pass(1);
  expect(seen).toEqual([{ type: 'notices.changed', change: 'notices' }]);
  await fixture.pass(1);
  await fixture.pass(1);
  stop();
  expect(seen).toHaveLength(2);
});

it('forgets what was over 90 days ago, and keeps what still is', async () => {
  await fixture.rule({ minutes: 1 });
  for (const each of ['OLD-1', 'OPEN-1']) await fixture.controller(each);
  await fixture.lose('OLD-1', 'OPEN-1');
  await fixture.pass(1);
  await fixture.find('OLD-1');
  await fixture.pass(1);
  const run = async () => server.server.jobs.find(({ name }) => name === 'delete-old-notices')?.run();
  const serials = async () => {
    const rows = await server.db
      .selectFrom('notices')
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
