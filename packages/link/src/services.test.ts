import { once } from 'node:events';
import { createServer } from 'node:net';
import { createDeferred, listen } from '@pult/testkit/in-test';
import { expect, test } from 'vitest';
import { ServiceError } from './link-error.ts';
import { createLinkPair, sampleInfo } from './testing/link-pair.ts';
import { connectTo, countBytes, createService, writeBytes } from './testing/services.ts';

test.each([
  ['upgrade', 'plain', false],
  ['websocket', 'plain', false],
  ['upgrade', 'TLS', true],
  ['websocket', 'TLS', true],
] as const)('a service streams both ways over %s, %s', async (transport, _layer, isSecure) => {
  const { cloud } = await createLinkPair({
    transport,
    isSecure,
    handlers: await createService((socket) => socket.pipe(socket)),
  });
  const stream = await cloud.openService('http');
  writeBytes(stream, 5_000_000);
  expect(await countBytes(stream)).toBe(5_000_000);
  expect(cloud.bytesIn).toBeGreaterThan(5_000_000);
  expect(cloud.bytesOut).toBeGreaterThan(5_000_000);
});

test('a single huge write passes the limits of the WebSocket', async () => {
  const { cloud } = await createLinkPair({
    transport: 'websocket',
    handlers: await createService((socket) => socket.pipe(socket)),
  });
  const stream = await cloud.openService('http');
  stream.end(Buffer.alloc(8 << 20));
  expect(await countBytes(stream)).toBe(8 << 20);
});

test('an end after the request does not cut the answer', async () => {
  const { cloud } = await createLinkPair({
    handlers: await createService((socket) => {
      socket.resume();
      socket.on('end', () => writeBytes(socket, 3_000_000));
    }),
  });
  const stream = await cloud.openService('ssh');
  stream.end('all I have to say');
  expect(await countBytes(stream)).toBe(3_000_000);
});

test("the service's end leaves the way to it open", async () => {
  let received = 0;
  const allReceived = createDeferred();
  const { cloud } = await createLinkPair({
    handlers: await createService((socket) => {
      socket.end('bye');
      socket.on('data', (chunk) => {
        received += chunk.length;
      });
      socket.on('end', () => allReceived.resolve());
    }),
  });
  const stream = await cloud.openService('http');
  stream.on('data', (chunk) => expect(String(chunk)).toBe('bye'));
  await once(stream, 'end');
  writeBytes(stream, 1_000_000);
  await allReceived.promise;
  expect(received).toBe(1_000_000);
});

test('destroying the stream resets the connection to the service', async () => {
  const outcome = createDeferred<string>();
  const { cloud } = await createLinkPair({
    handlers: await createService((socket) => {
      socket.resume();
      socket.write('x');
      socket.on('error', (error: NodeJS.ErrnoException) => outcome.resolve(error.code ?? ''));
      socket.on('end', () => outcome.resolve('clean end'));
    }),
  });
  const stream = await cloud.openService('http');
  stream.once('data', () => stream.destroy());
  expect(await outcome.promise).toBe('ECONNRESET');
});

test('a refused, a forbidden and an unknown service each say so', async () => {
  const closedPort = await reserveClosedPort();
  const { cloud } = await createLinkPair({
    handlers: {
      connectService: (name) =>
        name === 'ssh'
          ? Promise.reject(new ServiceError('service_not_allowed', 'not in the allow-list'))
          : connectTo(closedPort).catch((error: Error) => {
              throw new ServiceError('service_refused', `${error.message}\n\u001b[31m`);
            }),
    },
  });
  await expect(cloud.openService('http')).rejects.toMatchObject({
    code: 'service_refused',
    reason: `connect ECONNREFUSED 127.0.0.1:${closedPort} [31m`,
  });
  await expect(cloud.openService('ssh')).rejects.toMatchObject({
    code: 'service_not_allowed',
    reason: 'not in the allow-list',
  });
  for (const name of ['ftp', 'port-0', 'port-65536', 'port-22x', '']) {
    await expect(cloud.openService(name)).rejects.toMatchObject({ code: 'service_not_allowed' });
  }
});

test('a hanging service times out, and so does a device that never answers', async () => {
  let gaveUp = 0;
  const { cloud } = await createLinkPair({
    cloud: { serviceTimeoutMs: 20 },
    handlers: {
      connectService: (name, signal) =>
        name === 'ssh'
          ? Promise.reject(new ServiceError('service_timeout', 'no answer within 10 s'))
          : new Promise((_, reject) => {
              signal.addEventListener('abort', () => {
                gaveUp += 1;
                reject(new ServiceError('service_timeout'));
              });
            }),
    },
  });
  await expect(cloud.openService('http')).rejects.toMatchObject({
    code: 'service_timeout',
    reason: 'the device did not answer',
  });
  await expect.poll(() => gaveUp, { timeout: 20_000 }).toBe(1);
});

test('an aborted open rejects with its reason and tells the device', async () => {
  const told = createDeferred();
  const asked = createDeferred();
  const { cloud } = await createLinkPair({
    handlers: {
      connectService: (_name, signal) => {
        signal.addEventListener('abort', () => told.resolve());
        asked.resolve();
        return new Promise(() => {});
      },
    },
  });
  const abort = new AbortController();
  const opening = cloud.openService('http', { signal: abort.signal });
  await asked.promise;
  abort.abort(new Error('logged out'));
  await expect(opening).rejects.toThrow('logged out');
  await told.promise;
});

test('the device tells about itself and takes the state', async () => {
  const states: unknown[] = [];
  const { cloud } = await createLinkPair({ handlers: { putState: (state) => void states.push(state) } });
  expect(await cloud.getInfo()).toEqual(sampleInfo);
  const state = {
    activated: false,
    activationLink: 'https://cloud.test/c?token=t',
    metricsIntervalSeconds: 60,
  };
  await cloud.putState(state);
  expect(states).toEqual([state]);
});

async function reserveClosedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
