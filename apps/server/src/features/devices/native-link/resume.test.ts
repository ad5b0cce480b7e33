import { once } from 'node:events';
import { createServer } from 'node:net';
import { linkTestDevice } from '@pult/testkit/in-process';
import { listen } from '@pult/testkit/in-test';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { whenConnected } from '../when-connected.ts';
import { createLinkFixture, type LinkFixture, readRefusal } from './link.fixture.ts';

let fixture: LinkFixture;
beforeAll(async () => {
  fixture = await createLinkFixture();
});
afterAll(() => fixture.server.close());

/** A claimed device whose service sends back what it gets, and that can go on after a cut. */
async function linkEcho(serialNumber: string) {
  const { server } = fixture;
  const { device, token } = await fixture.enrol(serialNumber);
  await fixture.claim(token);
  const echo = createServer({ allowHalfOpen: true }, (socket) => socket.on('error', () => {}).pipe(socket));
  const port = await listen(echo);
  const linked = await linkTestDevice(server, device, { isResumable: true, endpoints: { http: port } });
  onTestFinished(() => linked.link.close());
  const { links } = server.server;
  await expect.poll(() => fixture.getController(serialNumber)).toMatchObject({ status: 'online' });
  const [enrolmentId = ''] = links.listIds().slice(-1);
  return {
    device,
    linked,
    links,
    enrolmentId,
    open: async () => whenConnected(links.open({ enrolmentId, serialNumber }, 'http')),
  };
}

const statusOf = async (serialNumber: string) =>
  ((await fixture.getController(serialNumber)) as { status: string }).status;

it('a stream goes on where it was after a cut; meanwhile the controller is offline and nothing new is opened', async () => {
  const { linked, open } = await linkEcho('RESUME-1');
  const stream = await open();
  stream.write('before, ');
  expect(String((await once(stream, 'data'))[0])).toBe('before, ');
  linked.cut();
  await expect.poll(() => statusOf('RESUME-1')).toBe('offline');
  await expect(open()).rejects.toMatchObject({ code: 'controller_offline' });
  stream.write('meanwhile');
  expect(stream.destroyed).toBe(false);
  await linked.resume();
  expect(String((await once(stream, 'data'))[0])).toBe('meanwhile');
  await expect.poll(() => statusOf('RESUME-1')).toBe('online');
  const another = await open();
  another.destroy();
  stream.destroy();
});

it('a state that changed during a cut is told after it', async () => {
  const { linked } = await linkEcho('RESUME-2');
  await expect.poll(() => linked.states.at(-1)?.activated).toBe(true);
  const before = linked.states.length;
  linked.cut();
  await expect.poll(() => statusOf('RESUME-2')).toBe('offline');
  await linked.resume();
  await expect.poll(() => linked.states.length).toBeGreaterThan(before);
});

it.each(['upgrade', 'websocket'] as const)('a session goes on over %s as well', async (transport) => {
  const { linked, open } = await linkEcho(`RESUME-3-${transport.toUpperCase()}`);
  const stream = await open();
  linked.cut();
  stream.write('over there');
  await linked.resume({ transport });
  expect(String((await once(stream, 'data'))[0])).toBe('over there');
  stream.destroy();
});

it('an attempt that was overtaken, and a session of another, are new links', async () => {
  const { linked, open } = await linkEcho('RESUME-4');
  const stream = await open();
  stream.on('error', () => {});
  linked.cut();
  await linked.resume();
  stream.write('x');
  await once(stream, 'data');
  const other = await linkEcho('RESUME-5');
  await expect(other.linked.resume({ headers: { 'pult-session': `0.${'A'.repeat(22)} 1` } })).rejects.toThrow(
    'another session',
  );
  await expect(linked.resume({ headers: { 'pult-session': 'nonsense' } })).rejects.toThrow('another session');
  await expect.poll(() => stream.destroyed).toBe(true);
});

it('a newer link of the device without the session ends the one that waits', async () => {
  const { device, linked, open } = await linkEcho('RESUME-6');
  const stream = await open();
  const failed = once(stream, 'error');
  linked.cut();
  await linkTestDevice(fixture.server, device);
  expect((await failed)[0]).toMatchObject({ code: 'link_closed', reason: 'replaced' });
});

it('access that ends during a cut ends what waits', async () => {
  const { links, enrolmentId, linked, open } = await linkEcho('RESUME-7');
  const stream = await open();
  stream.on('error', () => {});
  linked.cut();
  await expect.poll(() => links.get(enrolmentId)).toBe(undefined);
  stream.destroy();
  await linked.resume();
  await expect.poll(() => linked.connections.size).toBe(0);
});

it.each(['upgrade', 'websocket'] as const)(
  'what is open goes on over the second connection, here %s, when the first ends; the controller stays online',
  async (transport) => {
    const serialNumber = `BULK-1-${transport.toUpperCase()}`;
    const { linked, open, links, enrolmentId } = await linkEcho(serialNumber);
    const changes: string[] = [];
    links.onChange((id, change) => {
      if (id === enrolmentId) changes.push(change);
    });
    const stream = await open();
    await linked.addBulk({ transport });
    stream.write('before, ');
    expect(String((await once(stream, 'data'))[0])).toBe('before, ');
    linked.cut();
    stream.write('behind');
    expect(String((await once(stream, 'data'))[0])).toBe('behind');
    const another = await open();
    another.write('new');
    expect(String((await once(another, 'data'))[0])).toBe('new');
    expect(await statusOf(serialNumber)).toBe('online');
    expect(changes).not.toContain('waiting');
    stream.destroy();
    another.destroy();
  },
);

it('a second connection for a link that is gone, or with an old number, is refused and disturbs nothing', async () => {
  const { linked, open } = await linkEcho('BULK-2');
  const stream = await open();
  const bulk = await linked.addBulk();
  const old = readRefusal(linked.addBulk({ headers: { 'pult-session': `${linked.sessionId} 1 bulk` } }));
  expect(await old).toMatchObject({ status: 409, code: 'link_session_gone' });
  const foreign = readRefusal(linked.addBulk({ headers: { 'pult-session': `0.${'A'.repeat(22)} 9 bulk` } }));
  expect(await foreign).toMatchObject({ status: 409, code: 'link_session_gone' });
  stream.write('still');
  expect(String((await once(stream, 'data'))[0])).toBe('still');
  expect(bulk.destroyed).toBe(false);
  stream.destroy();
});

it('the session of one device takes no second connection of another', async () => {
  const first = await linkEcho('BULK-3');
  const second = await linkEcho('BULK-4');
  const header = { 'pult-session': `${first.linked.sessionId} 9 bulk` };
  expect(await readRefusal(second.linked.addBulk({ headers: header }))).toMatchObject({ status: 409 });
});
