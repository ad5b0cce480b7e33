import type { TestServer, TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fillFleet } from '../controllers/large-fleet.fixture.ts';
import { type AlertsFixture, createAlertsServer, createEmptyFleet, minute } from './alerts.fixture.ts';

let server: TestServer;
let owner: TestUser;
let organization: string;
let fixture: AlertsFixture;

beforeAll(async () => {
  ({ server, owner } = await createAlertsServer());
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ organization, fixture } = await createEmptyFleet(server, owner));
});

describe('messages of alerts', () => {
  it('notify each member in their own language', async () => {
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

  it('the test of a rule counts the mails that wait for the mail server', async () => {
    const { id } = await fixture.rule({ members: [owner.id] });
    const tested = await fixture.call('testAlertRule', { params: { ruleId: id } });
    expect(tested.body).toMatchObject({ mails: 1, mailsKept: 0 });
  });

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
