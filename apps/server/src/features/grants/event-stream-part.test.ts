import type { EventMessage } from '@pult/contract';
import { poll, startStopwatch } from '@pult/testkit';
import { createListeningServer, type ListeningServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listenToEvents } from '../organizations/event-stream.fixture.ts';
import { createPartFixture, type PartFixture } from './part.fixture.ts';

/** The event stream of somebody who has a part of the organization. */

let server: ListeningServer;
let fixture: PartFixture;
/** Of Plant, with Hall under it. */
let user: TestUser;
let grantId: string;

beforeAll(async () => {
  server = await createListeningServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  fixture = await createPartFixture(server);
  user = await server.createUser();
  grantId = await fixture.grant(user, 'viewer', { groupId: fixture.groups.plant });
});

async function listen(as: TestUser) {
  const stream = await listenToEvents(server.port, fixture.organizationId, { cookie: as.cookie });
  return {
    stream,
    messages: () =>
      stream.text
        .split('\n\n')
        .filter((each) => each.startsWith('data: '))
        .map((each) => JSON.parse(each.slice(6)) as EventMessage),
    close: () => stream.response.destroy(),
  };
}

/** With what it reads anew at first, when its rights are looked at, behind it. */
async function listenSettled(as: TestUser) {
  const listener = await listen(as);
  await poll(() => listener.messages().some(({ changes }) => changes === null), { what: 'the first look' });
  return { ...listener, seen: listener.messages().length };
}

const publish = (name: keyof PartFixture['controllers']) =>
  server.server.events.publish('organization', {
    organizationId: fixture.organizationId,
    event: { type: 'controller.updated', serialNumber: fixture.controllers[name].serialNumber },
  });

describe('an event stream of a part', () => {
  it('brings every number, with the changes outside the part left out', async () => {
    const owner = await listen(fixture.owner);
    const listener = await listenSettled(user);
    for (const name of ['south', 'hall', 'none'] as const) publish(name);
    const cursor = await poll(() => owner.messages().find(({ changes }) => changes?.length === 3)?.cursor, {
      what: 'the message',
    });
    await poll(() => listener.messages().at(-1)?.cursor === cursor, { what: 'the cursor' });
    const told = listener
      .messages()
      .slice(listener.seen)
      .flatMap(({ changes }) => changes ?? []);
    expect(told).toEqual([
      { type: 'controller.updated', serialNumber: fixture.controllers.hall.serialNumber },
    ]);
    expect(listener.stream.text).not.toContain(fixture.controllers.south.serialNumber);
    owner.close();
    listener.close();
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'a controller leaves it',
      () =>
        server.call('updateController', {
          as: fixture.owner,
          params: { serialNumber: fixture.controllers.hall.serialNumber },
          body: { group: fixture.groups.south },
        }),
    ],
    [
      'controllers leave it by a list',
      () =>
        server.call('detachControllers', {
          as: fixture.owner,
          body: { controllers: [fixture.controllers.hall.serialNumber] },
        }),
    ],
    [
      'a group leaves it',
      () =>
        server.call('updateGroup', {
          as: fixture.owner,
          params: { groupId: fixture.groups.hall },
          body: { parent: null },
        }),
    ],
    ['another right is given', () => fixture.grant(user, 'viewer', { groupId: fixture.groups.south })],
    ['its reader becomes a member', () => server.addMember(fixture.organizationId, user, 'viewer')],
  ])('the stream of a part has its reader read all anew within two seconds when %s', async (_, act) => {
    const listener = await listenSettled(user);
    await act();
    const elapsed = startStopwatch();
    await poll(
      () =>
        listener
          .messages()
          .slice(listener.seen)
          .some(({ changes }) => changes === null),
      {
        what: 'word of it',
      },
    );
    expect(elapsed()).toBeLessThan(2_000);
    listener.close();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the only right ends', () => fixture.end(fixture.owner, grantId)],
    [
      'the time of the only right is over',
      () =>
        server.db
          .updateTable('grants')
          .set({ ends_at: new Date(0) })
          .where('id', '=', grantId)
          .execute(),
    ],
    [
      'its group is deleted',
      () => server.call('deleteGroup', { as: fixture.owner, params: { groupId: fixture.groups.plant } }),
    ],
  ])('ends within two seconds when %s', async (_, act) => {
    const listener = await listenSettled(user);
    await act();
    const elapsed = startStopwatch();
    await poll(() => listener.stream.hasEnded, { what: 'the end' });
    expect(elapsed()).toBeLessThan(2_000);
  });

  it('the stream of a member is told all, and after the role only the part', async () => {
    await server.addMember(fixture.organizationId, user, 'viewer');
    const listener = await listenSettled(user);
    publish('south');
    await poll(() => listener.stream.text.includes(fixture.controllers.south.serialNumber), {
      what: 'the change',
    });
    await server.db.deleteFrom('memberships').where('user_id', '=', user.id).execute();
    const seen = listener.messages().length;
    await poll(
      () =>
        listener
          .messages()
          .slice(seen)
          .some(({ changes }) => changes === null),
      { what: 'the part' },
    );
    publish('none');
    publish('plant');
    await poll(() => listener.stream.text.includes(fixture.controllers.plant.serialNumber), {
      what: 'the change',
    });
    expect(listener.stream.text).not.toContain(fixture.controllers.none.serialNumber);
    listener.close();
  });
});
