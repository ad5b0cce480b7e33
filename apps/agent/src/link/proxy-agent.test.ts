import { createServer as createTlsServer } from 'node:https';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { expect, test } from 'vitest';
import { createFakeCloud } from '../testing/fake-cloud.ts';
import { createHttpProxy } from '../testing/http-proxy.ts';
import { startTestAgent } from '../testing/test-agent.ts';

// The certificate is of this name and of 127.0.0.1.
const secure = {
  host: 'localhost',
  createServer: () => createTlsServer({ cert: testCertificate, key: testPrivateKey }),
};

test.each([
  ['http', 'upgrade', false],
  ['http', 'websocket', true],
  ['https', 'upgrade', false],
  ['https', 'websocket', true],
] as const)(
  'enrolment and link of %s by %s go through the proxy, with its login',
  async (scheme, transport, passesOnlyWebSocket) => {
    const cloud = await createFakeCloud({ passesOnlyWebSocket, ...(scheme === 'https' ? secure : {}) });
    const proxy = await createHttpProxy({ login: 'boiler room:p@ss' });
    const agent = startTestAgent({
      serverUrl: cloud.url,
      config: { ca: testCertificate, proxy: new URL(`http://boiler%20room:p%40ss@${proxy.address}`) },
    });
    const link = await cloud.nextLink();
    expect((await link.getInfo()).serialNumber).toBe('A1B2C3D4');
    expect(cloud.attempts.at(-1)).toBe(transport);
    // One of each attempt: to enrol and to link is one.
    expect(proxy.authorities).toHaveLength(passesOnlyWebSocket ? 2 : 1);
    expect(new Set(proxy.authorities)).toEqual(new Set([new URL(cloud.url).host]));
    expect(agent.lines.join()).not.toContain('p@ss');
  },
);

test('a name that only the proxy knows is left to it', async () => {
  const cloud = await createFakeCloud({ host: 'cloud.invalid' });
  const proxy = await createHttpProxy();
  startTestAgent({ serverUrl: cloud.url, config: { proxy: new URL(`http://${proxy.address}`) } });
  expect((await (await cloud.nextLink()).getInfo()).serialNumber).toBe('A1B2C3D4');
});

test.each([
  [
    'that wants a login',
    { login: 'a:b' },
    '',
    'asks for a login (407): give it as http://user:password@PROXY',
  ],
  ['that knows another login', { login: 'a:b' }, 'a:c@', 'does not accept this user and password (407)'],
  [
    'that forbids the server',
    { status: 403 },
    '',
    'does not connect to cloud.invalid: it answers 403 Forbidden',
  ],
  [
    'that cannot reach the server',
    { status: 502 },
    '',
    'does not connect to cloud.invalid: it answers 502 Bad Gateway',
  ],
  ['that says nothing', { status: 0 }, '', 'does not answer'],
] as const)('a proxy %s is told in plain words, and tried again', async (_what, options, login, words) => {
  const cloud = await createFakeCloud({ host: 'cloud.invalid' });
  const proxy = await createHttpProxy(options);
  const agent = startTestAgent({
    serverUrl: cloud.url,
    config: { proxy: new URL(`http://${login}${proxy.address}`) },
    timing: { answerTimeoutMs: 200 },
  });
  const line = `enrolment: failed (the proxy PROXY ${words}), retrying in 1 s`;
  await expect
    .poll(() => agent.lines.slice(0, 2), { timeout: 20_000 })
    .toEqual(
      Array(2).fill(
        line.replaceAll('PROXY', proxy.address).replace('cloud.invalid', new URL(cloud.url).host),
      ),
    );
  expect(agent.lines.join()).not.toContain('a:c');
});

test('a proxy that is not there is named, not the server', async () => {
  const cloud = await createFakeCloud();
  const agent = startTestAgent({ serverUrl: cloud.url, config: { proxy: new URL('http://127.0.0.1:1') } });
  await expect
    .poll(() => agent.lines[0], { timeout: 20_000 })
    .toBe(
      'enrolment: failed (the proxy 127.0.0.1:1 cannot be reached (connect ECONNREFUSED 127.0.0.1:1)), retrying in 1 s',
    );
});

test('an agent behind a proxy that opens TLS says whose certificate it does not trust', async () => {
  const cloud = await createFakeCloud(secure);
  const proxy = await createHttpProxy();
  const agent = startTestAgent({
    serverUrl: cloud.url,
    config: { proxy: new URL(`http://${proxy.address}`) },
  });
  await expect
    .poll(() => agent.lines[0], { timeout: 20_000 })
    .toBe(
      `enrolment: failed (the certificate of ${new URL(cloud.url).host} is not trusted: self-signed certificate; ` +
        'if its authority is your own, name it by --ca), retrying in 1 s',
    );
});
