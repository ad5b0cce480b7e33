import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createLinkPair } from './testing/link-pair.ts';
import { countBytes, createService, writeBytes } from './testing/services.ts';

const endless = () => createService((socket) => writeBytes(socket, Number.MAX_SAFE_INTEGER));

test.each([
  ['upgrade', 'reset'],
  ['upgrade', 'finish'],
  ['websocket', 'reset'],
  ['websocket', 'finish'],
] as const)(
  'a line over %s that ends by %s in a download is an error, not an end',
  async (transport, fault) => {
    const { cloud, device, line } = await createLinkPair({ transport, handlers: await endless() });
    const stream = await cloud.openService('http');
    stream.end();
    await once(stream, 'data');
    const reading = countBytes(stream);
    line[fault]();
    await expect(reading).rejects.toMatchObject({ code: 'link_closed', reason: 'transport' });
    expect(await cloud.closed).toBe('transport');
    expect(await device.closed).toBe('transport');
    await expect(cloud.openService('http')).rejects.toMatchObject({ code: 'link_closed' });
  },
);

test('a service that resets in the middle of its answer is an error of that stream only', async () => {
  const { cloud } = await createLinkPair({
    handlers: await createService((socket) => {
      socket.write('half an ans');
      socket.once('data', () => socket.resetAndDestroy());
    }),
  });
  const stream = await cloud.openService('http');
  await once(stream, 'data');
  const reading = countBytes(stream);
  stream.write('go');
  await expect(reading).rejects.toMatchObject({ code: 'service_reset' });
  expect((await cloud.getInfo()).serialNumber).toBe('A1B2C3D4');
});

test('a device that leaves in the middle of a download is an error, and gone at once', async () => {
  const { cloud, device } = await createLinkPair({ handlers: await endless() });
  const stream = await cloud.openService('http');
  await once(stream, 'data');
  const reading = countBytes(stream);
  device.close();
  await expect(reading).rejects.toMatchObject({
    code: expect.stringMatching(/^(link_closed|service_reset)$/),
  });
  expect(await cloud.closed).toBe('shutdown');
});

test('a replaced link cuts its streams, and the device learns why', async () => {
  const { cloud, device } = await createLinkPair({ handlers: await endless() });
  const stream = await cloud.openService('http');
  await once(stream, 'data');
  const reading = countBytes(stream);
  cloud.close('replaced');
  await expect(reading).rejects.toMatchObject({ code: 'link_closed', reason: 'replaced' });
  expect(await cloud.closed).toBe('replaced');
  expect(await device.closed).toBe('replaced');
});

test.each(['upgrade', 'websocket'] as const)(
  'a silent peer over %s is found by both ends',
  async (transport) => {
    // A busy machine answers in time, too.
    const pings = { pingIntervalMs: 100, pingTimeoutMs: 400 };
    const { cloud, device, line } = await createLinkPair({
      transport,
      cloud: pings,
      device: pings,
      handlers: await createService((socket) => socket.pipe(socket)),
    });
    const stream = await cloud.openService('http');
    const reading = countBytes(stream);
    line.silence();
    await expect(reading).rejects.toMatchObject({ code: 'link_closed', reason: 'ping_timeout' });
    expect(await cloud.closed).toBe('ping_timeout');
    expect(await device.closed).toBe('ping_timeout');
  },
);

test('a goodbye of the cloud lets a download finish, opens nothing new, and names the grace period', async () => {
  let finish = () => {};
  const goodbyes: unknown[] = [];
  const service = await createService((socket) => {
    socket.write('first half, ');
    finish = () => socket.end('second half');
  });
  const { cloud, device } = await createLinkPair({
    handlers: { ...service, onGoAway: (goodbye) => void goodbyes.push(goodbye) },
  });
  const stream = await cloud.openService('http');
  stream.end();
  const [first] = await once(stream, 'data');
  stream.pause();
  cloud.goAway(5000);
  await expect(cloud.openService('http')).rejects.toMatchObject({ code: 'link_closed', reason: 'shutdown' });
  await expect.poll(() => goodbyes, { timeout: 20_000 }).toEqual([{ reason: 'shutdown', graceMs: 5000 }]);
  finish();
  expect(Buffer.concat([first, ...(await stream.toArray())]).toString()).toBe('first half, second half');
  expect(await device.closed).toBe('shutdown');
  expect(await cloud.closed).toBe('shutdown');
});

test.each(['in the first moment', 'on an idle link'])('a goodbye %s is heard', async (moment) => {
  const { cloud, device } = await createLinkPair();
  if (moment === 'on an idle link') await cloud.getInfo();
  cloud.goAway(20);
  expect(await device.closed).toBe('shutdown');
  expect(await cloud.closed).toBe('shutdown');
});

test('a goodbye in the middle of an upload is heard', async () => {
  const { cloud, device } = await createLinkPair({ handlers: await endless() });
  const uploads = Array.from({ length: 5 }, () => cloud.open('http').on('error', () => {}));
  for (const upload of uploads) writeBytes(upload, 50_000_000);
  await once(uploads[0] as (typeof uploads)[0], 'data');
  device.close('shutdown');
  expect(await cloud.closed).toBe('shutdown');
  expect(await device.closed).toBe('shutdown');
});

test('closing is final however often and early it is said', async () => {
  const { cloud, device } = await createLinkPair();
  cloud.close('revoked');
  cloud.close('replaced');
  cloud.goAway();
  device.close();
  expect(await cloud.closed).toBe('revoked');
  await device.closed;
});
