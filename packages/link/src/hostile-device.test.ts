import { performServerHandshake, type ServerHttp2Stream, type Settings } from 'node:http2';
import { expect, test } from 'vitest';
import { acceptDevice, sampleInfo } from './testing/link-pair.ts';

/** A device that answers whatever the test likes. */
async function connectHostile(answer: (stream: ServerHttp2Stream) => void, settings: Settings = {}) {
  const { socket, cloud } = await acceptDevice({ cloud: { answerTimeoutMs: 2000, serviceTimeoutMs: 2000 } });
  const session = performServerHandshake(socket, { settings });
  session.on('error', () => {});
  session.on('stream', (stream) => {
    stream.on('error', () => {});
    stream.resume();
    answer(stream);
  });
  return { cloud, session };
}

test('an endless answer is cut after its limit', async () => {
  const { cloud } = await connectHostile((stream) => {
    stream.respond({ ':status': 200 });
    const write = () => {
      while (!stream.destroyed && stream.write(Buffer.alloc(4096, ' ')));
    };
    stream.on('drain', write);
    write();
  });
  await expect(cloud.getInfo()).rejects.toMatchObject({ code: 'bad_answer' });
  expect(await cloud.closed).toBe('protocol');
  expect(cloud.bytesIn).toBeLessThan(8 << 20);
});

test.each([
  ['no JSON', '<html>'],
  ['an empty answer', ''],
  ['a wrong type', JSON.stringify({ ...sampleInfo, uptimeSeconds: 'long' })],
  ['a control character', JSON.stringify({ ...sampleInfo, model: '\u001b]0;owned' })],
  ['a long field', JSON.stringify({ ...sampleInfo, firmwareVersion: 'x'.repeat(65) })],
  ['a foreign serial', JSON.stringify({ ...sampleInfo, serialNumber: 'a.b' })],
])('%s about itself ends the link', async (_what, body) => {
  const { cloud } = await connectHostile((stream) => {
    stream.respond({ ':status': 200 });
    stream.end(body);
  });
  await expect(cloud.getInfo()).rejects.toMatchObject({ code: 'bad_answer' });
  expect(await cloud.closed).toBe('protocol');
});

test('an answer before the question was taken leaves no stream behind', async () => {
  const open = new Set<ServerHttp2Stream>();
  const { cloud } = await connectHostile(
    (stream) => {
      open.add(stream);
      stream.on('close', () => open.delete(stream));
      stream.respond({ ':status': 200 });
      stream.end(JSON.stringify(sampleInfo));
    },
    { initialWindowSize: 0 },
  );
  // By then the cloud knows that it may send nothing.
  await cloud.getInfo();
  await cloud.putState({ activated: true, activationLink: null, metricsIntervalSeconds: 60 });
  await expect.poll(() => open.size).toBe(0);
});

test('huge headers are refused', async () => {
  let big = '';
  const { cloud } = await connectHostile((stream) => {
    stream.respond({ ':status': 200, 'x-big': big });
    stream.end(JSON.stringify(sampleInfo));
  });
  await cloud.getInfo();
  big = 'x'.repeat(40_000);
  await expect(cloud.getInfo()).rejects.toMatchObject({
    code: expect.stringMatching(/^(service_reset|link_closed)$/),
  });
});

test('many headers are refused', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x-${index}`, 'x']));
  const { cloud } = await connectHostile((stream) => stream.respond({ ':status': 200, ...many }));
  await expect(cloud.openService('http')).rejects.toMatchObject({
    code: expect.stringMatching(/^(service_reset|link_closed)$/),
  });
});

test('an endless reason of a refusal is shortened', async () => {
  const { cloud } = await connectHostile((stream) => {
    stream.respond({ ':status': 502 });
    stream.write('no '.repeat(100_000));
  });
  const error = await cloud.openService('http').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'service_refused' });
  expect((error as { reason: string }).reason.length).toBeLessThanOrEqual(200);
});

test('a push is not possible', async () => {
  let allowed: boolean | undefined;
  const { cloud } = await connectHostile((stream) => {
    allowed = stream.pushAllowed;
    stream.respond({ ':status': 200 });
    stream.end(JSON.stringify(sampleInfo));
  });
  await cloud.getInfo();
  expect(allowed).toBe(false);
});

test('bytes that are no HTTP/2 end the link', async () => {
  const { socket, cloud } = await acceptDevice();
  socket.resume();
  socket.write('HTTP/1.1 200 OK\r\n\r\n'.repeat(100));
  expect(await cloud.closed).toBe('protocol');
});
