import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { expect, test } from 'vitest';
import { type CountedLine, createCountedLine } from '../testing/counted-line.ts';
import { createFakeCloud } from '../testing/fake-cloud.ts';
import { createHttpProxy } from '../testing/http-proxy.ts';
import { createTempDir } from '../testing/temp-dir.ts';
import { startTestAgent } from '../testing/test-agent.ts';
import { RETURN_TOKEN_FILE } from './return-token.ts';

/** A server behind TLS and a line that counts, and an agent's state that outlives its starts. */
async function createDistantCloud({ hasProxy = false, passesOnlyWebSocket = false } = {}) {
  let line: CountedLine | undefined;
  const reusesTls: boolean[] = [];
  const cloud = await createFakeCloud({
    host: 'localhost',
    handsOutTokens: true,
    passesOnlyWebSocket,
    createServer: () => {
      const server = createTlsServer({ cert: testCertificate, key: testPrivateKey });
      server.on('secureConnection', (socket: TLSSocket) => reusesTls.push(socket.isSessionReused()));
      return server;
    },
    reachBy: async (port) => {
      line = await createCountedLine(port);
      return line.port;
    },
  });
  const proxy = hasProxy ? new URL(`http://${(await createHttpProxy()).address}`) : undefined;
  const stateDir = createTempDir();
  /** Of the connection that became the link, when it did, for each of them. */
  const roundTrips: (number | undefined)[] = [];
  return {
    cloud,
    stateDir,
    reusesTls,
    roundTrips,
    start: () =>
      startTestAgent({
        serverUrl: cloud.url,
        stateDir,
        config: { ca: testCertificate, proxy },
        onLine: (said) => {
          if (said === 'link: connected') roundTrips.push(line?.roundTrips.at(-1));
        },
      }),
    /** The next link, once its agent knows and has answered on it: the session of TLS has come with that. */
    async nextLink() {
      const link = await cloud.nextLink();
      await link.getInfo();
      return link;
    },
  };
}

test('an agent is linked four round trips after its very first packet, and three when it comes back', async () => {
  const { cloud, nextLink, start, reusesTls, roundTrips } = await createDistantCloud();
  const agent = start();
  const first = await nextLink();
  expect(roundTrips).toEqual([4]);
  first.close('transport');
  await nextLink();
  expect(roundTrips).toEqual([4, 3]);
  await agent.stop();
  start();
  await nextLink();
  expect(roundTrips).toEqual([4, 3, 3]);
  expect(reusesTls).toEqual([false, true, false]);
  expect(cloud.connections).toBe(3);
  expect(cloud.enrolments).toHaveLength(1);
});

test.each([
  ['directly', {}],
  ['over WebSocket', { passesOnlyWebSocket: true }],
  ['through a proxy', { hasProxy: true }],
])(
  'an agent that comes back %s proves itself over the same connection if its token is refused',
  async (_how, options) => {
    const { cloud, nextLink, start, reusesTls, roundTrips } = await createDistantCloud(options);
    start();
    const first = await nextLink();
    const before = cloud.connections;
    first.close('transport');
    const second = await nextLink();
    cloud.forgetNonces();
    second.close('transport');
    await nextLink();
    expect(roundTrips.slice(1)).toEqual([3, 4]);
    expect(reusesTls.slice(-2)).toEqual([true, true]);
    expect(cloud.connections).toBe(before + 2);
    expect(cloud.enrolments).toHaveLength(1);
  },
);

test('what an agent comes back with is for one server, and is made anew by one that has forgotten the machine', async () => {
  const { cloud, nextLink, start, stateDir } = await createDistantCloud();
  const agent = start();
  await nextLink();
  await agent.stop();
  const read = () => JSON.parse(readFileSync(join(stateDir, RETURN_TOKEN_FILE), 'utf8'));
  const kept = read();
  expect(kept.for).toContain(cloud.url);
  const other = await createFakeCloud();
  const elsewhere = startTestAgent({ serverUrl: other.url, stateDir });
  await other.nextLink();
  expect(other.enrolments).toHaveLength(1);
  await elsewhere.stop();
  cloud.forget();
  start();
  await nextLink();
  expect(cloud.enrolments).toHaveLength(2);
  expect(read().token).not.toBe(kept.token);
});
