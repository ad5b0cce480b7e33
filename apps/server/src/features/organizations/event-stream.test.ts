import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startStopwatch } from '@pult/testkit';
import { createListeningServer, type ListeningServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addToken, bearer } from '../accounts/tokens/tokens.fixture.ts';
import { eventsPath, listenToEvents } from './event-stream.fixture.ts';

let server: ListeningServer;
let owner: TestUser;
let organization: string;
let other: string;

beforeAll(async () => {
  server = await createListeningServer({ timing: { eventCommentMs: 100, bodyTimeoutMs: 100 } });
  owner = await server.createUser();
  organization = await server.createOrganization(owner);
  other = await server.createOrganization(await server.createUser());
});
afterAll(() => server.close());

const listen = (headers: Record<string, string>, id = organization, at = server) =>
  listenToEvents(at.port, id, headers);

const publish = (organizationId: string, serialNumber: string) =>
  server.server.events.publish('organization', {
    organizationId,
    event: { type: 'controller.updated', serialNumber },
  });

async function addListener() {
  const user = await server.createUser();
  await server.addMember(organization, user, 'viewer');
  return { user, stream: await listen({ cookie: user.cookie }) };
}

/** A browser that stops to read, and the server's end of its connection. */
async function connectStalled(at = server, user = owner, id = organization) {
  const accepted = once(at.server.app.server, 'connection') as Promise<[Socket]>;
  const socket = connect(at.port, '127.0.0.1');
  socket.on('error', () => {});
  const head = `GET ${eventsPath(id)} HTTP/1.1\r\nhost: localhost:${at.port}`;
  socket.write(`${head}\r\ncookie: ${user.cookie}\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  const [serverSide] = await accepted;
  return { socket, serverSide };
}

describe('the event stream', () => {
  it('says by its headers that nobody may keep or compress it', async () => {
    const { response } = await listen({ cookie: owner.cookie, 'accept-encoding': 'gzip, br' });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(response.headers['content-encoding']).toBeUndefined();
    response.destroy();
  });

  it('brings the events of its organization alone', async () => {
    const stream = await listen({ cookie: owner.cookie });
    publish(other, 'FOREIGN-1');
    publish(organization, 'OWN-1');
    await expect
      .poll(() => stream.text)
      .toMatch(/^data: .*"changes":\[\{"type":"controller.updated","serialNumber":"OWN-1"\}\]\}\n\n/m);
    expect(stream.text).not.toContain('FOREIGN');
    stream.response.destroy();
  });

  it('sends a comment again and again', async () => {
    const stream = await listen({ cookie: owner.cookie });
    await expect.poll(() => stream.text.match(/^: alive$/gm)?.length ?? 0).toBeGreaterThan(1);
    stream.response.destroy();
  });

  it('the event stream is 401 for nobody, 404 for a foreign organization, 400 for none', async () => {
    expect((await server.request('GET', eventsPath(organization))).status).toBe(401);
    const headers = { cookie: owner.cookie };
    expect(await server.request('GET', eventsPath(other), { headers })).toMatchObject({
      status: 404,
      body: { code: 'organization_not_found' },
    });
    expect((await server.request('GET', eventsPath('x'), { headers })).status).toBe(400);
    expect((await server.request('GET', '/api/v1/events/', { headers })).status).toBe(400);
  });

  it('ends with the session that listens, and with no other', async () => {
    const [leaving, staying] = [await addListener(), await addListener()];
    await server.call('logout', { as: leaving.user });
    await expect.poll(() => leaving.stream.hasEnded).toBe(true);
    expect(staying.stream.hasEnded).toBe(false);
    staying.stream.response.destroy();
  });

  it('ends with the membership, by the event of it', async () => {
    const { user, stream } = await addListener();
    await server.db.deleteFrom('memberships').where('user_id', '=', user.id).execute();
    server.server.events.publish('accessEnded', { userId: user.id, organizationId: organization });
    await expect.poll(() => stream.hasEnded).toBe(true);
    publish(organization, 'AFTER-1');
    expect(stream.text).not.toContain('AFTER-1');
  });

  it('the event stream takes a token of controllers.read, and ends within 2 s with it: deleted, or over by its time', async () => {
    const user = await server.createUser();
    await server.addMember(organization, user, 'viewer');
    const end = new Date(server.clock.now().getTime() + 60_000).toISOString();
    const made = await addToken(server, user, ['controllers.read']);
    const ending = await addToken(server, user, ['controllers.read'], { expiresAt: end });
    const streams = await Promise.all([made, ending].map((token) => listen(bearer(token))));
    await expect.poll(() => streams.every(({ text }) => text.includes('connected'))).toBe(true);
    await server.call('deleteToken', { as: user, params: { tokenId: made.id } });
    const ofDeleted = startStopwatch();
    await expect.poll(() => streams[0]?.hasEnded).toBe(true);
    expect(ofDeleted()).toBeLessThan(2_000);
    expect(streams[1]?.hasEnded).toBe(false);
    server.clock.advance(60_000);
    const ofOver = startStopwatch();
    await expect.poll(() => streams[1]?.hasEnded).toBe(true);
    expect(ofOver()).toBeLessThan(2_000);
  });

  it('the event stream tells a token without telemetry.read no values, and one with it all of them', async () => {
    const listeners = [];
    for (const scopes of [['controllers.read'], ['controllers.read', 'telemetry.read']] as const) {
      listeners.push(await listen(bearer(await addToken(server, owner, scopes))));
    }
    const values = { receivedAt: new Date().toISOString(), controls: [], isPartial: false };
    server.server.events.publish('organization', {
      organizationId: organization,
      event: { type: 'controller.values', serialNumber: 'VALUES-1', ...values },
    });
    publish(organization, 'VALUES-2');
    for (const stream of listeners) await expect.poll(() => stream.text).toContain('VALUES-2');
    expect(listeners.map(({ text }) => text.includes('VALUES-1'))).toEqual([false, true]);
    for (const { response } of listeners) response.destroy();
  });

  it('ends with the session’s row also where no event tells it', async () => {
    const { user, stream } = await addListener();
    await server.db.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    await expect.poll(() => stream.hasEnded).toBe(true);
  });

  it('ends with the access token that it was asked with', async () => {
    const user = await server.createUser();
    await server.addMember(organization, user, 'viewer');
    const streams = [
      await listen({ authorization: `Bearer ${user.access}` }),
      await listen({ cookie: user.cookie }),
    ];
    server.clock.advance(16 * 60_000);
    await expect.poll(() => streams[0]?.hasEnded).toBe(true);
    expect(streams[1]?.hasEnded).toBe(false);
    streams[1]?.response.destroy();
  });

  it('the event stream does not end when a tunnel’s access does', async () => {
    const { stream } = await addListener();
    server.server.events.publish('accessEnded', { controllerId: organization });
    publish(organization, 'STILL-1');
    await expect.poll(() => stream.text).toContain('STILL-1');
    stream.response.destroy();
  });

  it('cuts a reader that takes nothing any more', async () => {
    const { socket, serverSide } = await connectStalled();
    publish(organization, 'X'.repeat(10_000_000)); // more than the system's own buffers take
    await expect.poll(() => serverSide.writableLength).toBeGreaterThan(0);
    await expect.poll(() => serverSide.destroyed, { timeout: 5_000 }).toBe(true);
    socket.destroy();
  });

  it('forgets a reader that has left', async () => {
    const { events } = server.server;
    const subscribe = events.subscribe.bind(events);
    let subscriptions = 0;
    vi.spyOn(events, 'subscribe').mockImplementation((topic, listener) => {
      const end = subscribe(topic, listener);
      subscriptions += 1;
      return () => {
        subscriptions -= 1;
        end();
      };
    });
    const { response } = await listen({ cookie: owner.cookie });
    expect(subscriptions).toBe(1);
    response.destroy();
    await expect.poll(() => subscriptions).toBe(0);
  });

  it('ends when the server stops', async () => {
    const leaving = await createListeningServer();
    const user = await leaving.createUser();
    const stream = await listen({ cookie: user.cookie }, await leaving.createOrganization(user), leaving);
    const begun = performance.now();
    await leaving.server.close(10_000);
    expect(performance.now() - begun).toBeLessThan(9_000);
    await expect.poll(() => stream.hasEnded).toBe(true);
    await leaving.close();
  });
});

describe('an event stream whose access another process ends', () => {
  // As servers run: no times are shortened, and no event tells of what happens in the database.
  let quiet: ListeningServer;
  let home: string;
  beforeAll(async () => {
    quiet = await createListeningServer();
    home = await quiet.createOrganization(await quiet.createUser());
  });
  afterAll(() => quiet.close());

  const ends: [string, (user: TestUser) => Promise<unknown>][] = [
    ['the session goes', ({ id }) => quiet.db.deleteFrom('sessions').where('user_id', '=', id).execute()],
    [
      'the session expires',
      ({ id }) =>
        quiet.db
          .updateTable('sessions')
          .set({ expires_at: quiet.clock.now() })
          .where('user_id', '=', id)
          .execute(),
    ],
    [
      'the membership goes',
      ({ id }) => quiet.db.deleteFrom('memberships').where('user_id', '=', id).execute(),
    ],
    [
      'the organization wants a second factor',
      () =>
        quiet.db.updateTable('organizations').set({ totp_required: true }).where('id', '=', home).execute(),
    ],
    ['the user goes', ({ id }) => quiet.db.deleteFrom('users').where('id', '=', id).execute()],
  ];

  it.each(ends)(
    'an event stream whose access another process ends closes within 2 s when %s',
    async (_, end) => {
      const [leaving, staying] = [await quiet.createUser(), await quiet.createUser()];
      await quiet.db
        .updateTable('organizations')
        .set({ totp_required: false })
        .where('id', '=', home)
        .execute();
      await quiet.addMember(home, leaving, 'viewer');
      const streams = [await listen({ cookie: leaving.cookie }, home, quiet)];
      // Another's, in another organization: it stays open.
      const elsewhere = await quiet.createOrganization(staying);
      const other = await listen({ cookie: staying.cookie }, elsewhere, quiet);
      await end(leaving);
      const elapsed = startStopwatch();
      for (const stream of streams) await expect.poll(() => stream.hasEnded).toBe(true);
      expect(elapsed()).toBeLessThan(2_000);
      expect(other.hasEnded).toBe(false);
      other.response.destroy();
    },
  );
});

describe('a slow reader', () => {
  let calm: ListeningServer;
  let reader: TestUser;
  let home: string;
  // One that is not cut meanwhile.
  beforeAll(async () => {
    calm = await createListeningServer();
    reader = await calm.createUser();
    home = await calm.createOrganization(reader);
  });
  afterAll(() => calm.close());

  const tell = (serialNumber: string) =>
    calm.server.events.publish('organization', {
      organizationId: home,
      event: { type: 'controller.updated', serialNumber },
    });
  const listenCalmly = () => listen({ cookie: reader.cookie }, home, calm);
  const messagesIn = (text: string) =>
    [...text.matchAll(/"after":"([^"]+)","cursor":"([^"]+)"/g)].map(([, after, cursor]) => ({
      after,
      cursor,
    }));
  const soon = { timeout: 5_000 };

  it('a slow reader is told, once it reads again, that it has missed something', async () => {
    const { socket, serverSide } = await connectStalled(calm, reader, home);
    const quick = await listenCalmly();
    tell('X'.repeat(10_000_000));
    await expect.poll(() => serverSide.writableLength, soon).toBeGreaterThan(0);
    const kept = serverSide.writableLength;
    tell('MISSED-1');
    await expect.poll(() => quick.text.includes('MISSED-1'), soon).toBe(true);
    expect(serverSide.writableLength).toBe(kept);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.resume();
    const { cursor } = messagesIn(quick.text).at(-1) ?? {};
    await expect.poll(() => messagesIn(text).at(-1), soon).toEqual({ after: cursor, cursor });
    expect(text.includes('MISSED-1')).toBe(false);
    tell('NEXT-1');
    await expect.poll(() => text.includes('NEXT-1'), soon).toBe(true);
    expect(messagesIn(text).at(-1)?.after).toBe(cursor);
    quick.response.destroy();
    socket.destroy();
  });

  it('a slow reader among others keeps none of them from 10,000 changes, and takes no memory for them', async () => {
    const { socket, serverSide } = await connectStalled(calm, reader, home);
    const readers = await Promise.all([listenCalmly(), listenCalmly()]);
    // In one turn: on a busy machine the time of a message would come in the middle, and what is left fit into the next ones.
    for (let number = 0; number < 10_000; number += 1) {
      calm.server.events.publish('organization', {
        organizationId: home,
        event: {
          type: 'controller.status',
          serialNumber: `STORM-${number}`,
          status: 'online',
          statusReason: 'link',
          statusSince: '2026-01-01T00:00:00.000Z',
          lastSeenAt: null,
        },
      });
    }
    for (const { text } of readers) expect(text.length).toBeLessThan(500_000);
    expect(serverSide.writableLength).toBeLessThan(500_000);
    for (const reader of readers) await expect.poll(() => reader.text, soon).toContain('"changes":null');
    tell('AFTER-STORM');
    for (const reader of readers) {
      await expect.poll(() => reader.text, soon).toContain('AFTER-STORM');
      const told = messagesIn(reader.text);
      for (const [index, { after }] of told.entries()) {
        if (index > 0) expect(after).toBe(told[index - 1]?.cursor);
      }
      reader.response.destroy();
    }
    socket.destroy();
  });
});
