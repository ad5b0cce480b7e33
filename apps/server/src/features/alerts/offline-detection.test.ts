import type { OrganizationEvent } from '@pult/contract';
import type { TestServer, TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AlertsFixture, createAlertsServer, createEmptyFleet, minute } from './alerts.fixture.ts';
import { createOfflineDetection } from './offline-detection.ts';

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
        kind: 'offline',
        traffic: null,
        controller: { serialNumber: 'A-1', description: '' },
        group: null,
        offlineSince,
        firedAt,
        notifiedAt: null,
        isKept: false,
        resolvedAt: null,
      },
    ]);
    await fixture.pass(1);
    expect((await fixture.list())[0]?.notifiedAt).toBe(server.clock.now().toISOString());
    expect(await fixture.mails()).toEqual(['owner@example.com: Controller A-1 is offline – Heating']);
    await fixture.pass(30);
    expect(await fixture.mails()).toHaveLength(1);
  });

  it('fires for no controller whose device has left, and ends without a word where it had fired', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    for (const serialNumber of ['LEFT-1', 'LEFT-2']) await fixture.controller(serialNumber);
    await fixture.detach('LEFT-1');
    await fixture.goOffline('LEFT-2');
    await fixture.pass(2);
    expect(await fixture.fired()).toEqual(['LEFT-2']);
    await fixture.detach('LEFT-2');
    await fixture.pass(30);
    expect(await fixture.list()).toMatchObject([{ resolvedAt: expect.any(String) }]);
    expect(await fixture.mails()).toEqual(['owner@example.com: Controller LEFT-2 is offline – Heating']);
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
});

describe('a server that was restarted', () => {
  it('fires nothing until the fleet has had ten minutes to come back, and then for those who did not', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    for (const serialNumber of ['BEFORE-1', 'AWAY-1', 'BACK-1']) await fixture.controller(serialNumber);
    await fixture.goOffline('BEFORE-1');
    server.clock.advance(30_000);
    // Of the same database, as it is started again an hour later.
    server.clock.advance(60 * minute);
    const { db, clock } = server;
    const { events } = server.server;
    const restarted = createOfflineDetection(
      { db, clock, events },
      {
        notifier: { notify: async () => 'queued' },
      },
    );
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

  it('counts the ten minutes from when it serves, however long its migrations took', async () => {
    await fixture.rule({ minutes: 1, members: [owner.id] });
    await fixture.controller('WAIT-1');
    await fixture.goOffline('WAIT-1');
    const { db, clock } = server;
    const { events } = server.server;
    const restarted = createOfflineDetection(
      { db, clock, events },
      {
        notifier: { notify: async () => 'queued' },
      },
    );
    server.clock.advance(60 * minute);
    restarted.start();
    server.clock.advance(9 * minute);
    await restarted.evaluate();
    expect(await fixture.fired()).toEqual([]);
    server.clock.advance(minute);
    await restarted.evaluate();
    expect(await fixture.fired()).toEqual(['WAIT-1']);
  });
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
