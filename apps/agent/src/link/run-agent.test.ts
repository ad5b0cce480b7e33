import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { listen } from '@pult/testkit/in-test';
import { expect, test, vi } from 'vitest';
import { activationLink, createFakeCloud } from '../testing/fake-cloud.ts';
import { createTempDir } from '../testing/temp-dir.ts';
import { startTestAgent } from '../testing/test-agent.ts';

test('it enrols, links, serves, is cut, and comes back by itself', async () => {
  const service = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  const port = await listen(service);
  const cloud = await createFakeCloud();
  const agent = startTestAgent({
    serverUrl: cloud.url,
    config: { http: { host: '127.0.0.1', port, isTls: false } },
  });

  const first = await cloud.nextLink();
  expect((await first.getInfo()).serialNumber).toBe('A1B2C3D4');
  const stream = await first.openService('http');
  stream.write('hello');
  expect(String((await once(stream, 'data'))[0])).toBe('hello');
  const cut = once(stream, 'error');
  first.close('transport');
  await cut;

  const second = await cloud.nextLink();
  const again = await second.openService(`port-${port}`);
  again.end('back');
  expect(String(Buffer.concat(await again.toArray()))).toBe('back');
  expect(cloud.enrolments).toHaveLength(1);
  expect(agent.lines).toEqual([
    'link: connected',
    `activation link: ${activationLink}`,
    'link: lost (transport), retrying in 1 s',
    'link: connected',
  ]);
});

test('enrolment and its link take one connection, and so does each link after it', async () => {
  const cloud = await createFakeCloud();
  startTestAgent({ serverUrl: cloud.url });
  const link = await cloud.nextLink();
  expect(cloud.connections).toBe(1);
  link.close('transport');
  await cloud.nextLink();
  expect(cloud.connections).toBe(2);
});

test('each call gets a connection of its own where connections are closed between two calls', async () => {
  const cloud = await createFakeCloud({ closesUnasked: true });
  const agent = startTestAgent({ serverUrl: cloud.url });
  await cloud.nextLink();
  expect(cloud.attempts).not.toContain('websocket');
  await expect.poll(() => agent.lines).toEqual(['link: connected', `activation link: ${activationLink}`]);
});

test('a claim and a new activation link are told once', async () => {
  const cloud = await createFakeCloud();
  const agent = startTestAgent({ serverUrl: cloud.url });
  const link = await cloud.nextLink();
  const metricsIntervalSeconds = 60;
  await link.putState({ activated: false, activationLink, metricsIntervalSeconds });
  await link.putState({ activated: true, activationLink: null, metricsIntervalSeconds });
  await link.putState({ activated: true, activationLink: null, metricsIntervalSeconds });
  await link.putState({ activated: false, activationLink: `${activationLink}2`, metricsIntervalSeconds });
  expect(agent.lines.slice(2)).toEqual(['activated', `activation link: ${activationLink}2`]);
});

test('an agent behind a proxy that passes only WebSocket takes that, says so, and remembers', async () => {
  const stateDir = createTempDir();
  const cloud = await createFakeCloud({ passesOnlyWebSocket: true });
  const agent = startTestAgent({ serverUrl: cloud.url, stateDir });
  const link = await cloud.nextLink();
  expect((await link.getInfo()).serialNumber).toBe('A1B2C3D4');
  expect(cloud.attempts).toEqual(['upgrade', 'websocket']);
  expect(agent.lines).toContain(
    'link: the direct link does not get through (the server answered 400 to the link request), trying WebSocket',
  );
  await agent.stop();
  startTestAgent({ serverUrl: cloud.url, stateDir });
  await cloud.nextLink();
  expect(cloud.attempts).toEqual(['upgrade', 'websocket', 'websocket']);
});

test('a server that has forgotten the key is enrolled with again', async () => {
  const cloud = await createFakeCloud();
  startTestAgent({ serverUrl: cloud.url });
  const link = await cloud.nextLink();
  cloud.forget();
  link.close('transport');
  await cloud.nextLink();
  expect(cloud.enrolments).toHaveLength(2);
  expect(cloud.enrolments[1]).toEqual(cloud.enrolments[0]);
});

test('a wrong address is explained with both addresses, and tried on', async () => {
  const cloud = await createFakeCloud();
  const body = {
    code: 'link_url_mismatch',
    presentedUrl: cloud.url,
    expectedUrls: ['https://cloud.example.com'],
  };
  cloud.refuseLinks({ status: 409, body });
  const agent = startTestAgent({ serverUrl: cloud.url });
  await expect
    .poll(() => agent.lines.join('\n'), { timeout: 20_000 })
    .toContain(
      `enrolment: failed (this agent was given ${cloud.url}, but the server is known as https://cloud.example.com; correct --server here or AGENT_URLS there)`,
    );
  cloud.refuseLinks(null);
  await cloud.nextLink();
  expect(cloud.attempts).not.toContain('websocket');
});

test.each(['upgrade', 'websocket'] as const)(
  'a busy server is asked again when it says, not before (%s)',
  async (transport) => {
    const cloud = await createFakeCloud({ passesOnlyWebSocket: transport === 'websocket' });
    cloud.refuseLinks({
      status: 503,
      body: { code: 'service_unavailable' },
      headers: { 'Retry-After': '7' },
    });
    const agent = startTestAgent({ serverUrl: cloud.url, timing: { random: () => 0.5 } });
    // 7 s, and half of the 3.5 s over which those told the same are spread.
    await expect
      .poll(() => agent.lines.at(-1), { timeout: 20_000 })
      .toBe('enrolment: failed (service_unavailable), retrying in 9 s');
    expect(cloud.attempts.at(-1)).toBe(transport);
  },
);

test('a goodbye of the server is followed by a return within its grace period', async () => {
  const cloud = await createFakeCloud();
  const agent = startTestAgent({ serverUrl: cloud.url });
  const link = await cloud.nextLink();
  link.goAway(20);
  expect(await link.closed).toBe('shutdown');
  await cloud.nextLink();
  expect(agent.lines).toContain('link: lost (shutdown), retrying in 1 s');
});

test('the enrolment key goes along, and its lack is told in the words of the server', async () => {
  const cloud = await createFakeCloud({ enrollmentKey: 'open sesame' });
  const refused = startTestAgent({ serverUrl: cloud.url });
  await expect
    .poll(() => refused.lines, { timeout: 20_000 })
    .toContain('enrolment: failed (The enrolment key is wrong.), retrying in 1 s');
  await refused.stop();
  startTestAgent({ serverUrl: cloud.url, config: { enrollmentKey: 'open sesame' } });
  await cloud.nextLink();
});

test('nobody at the address is told plainly and tried on; stopping ends the waiting', async () => {
  const agent = startTestAgent({ serverUrl: 'http://127.0.0.1:1' });
  await expect.poll(() => agent.lines.length, { timeout: 20_000 }).toBeGreaterThan(2);
  expect(agent.lines[0]).toBe('enrolment: failed (connect ECONNREFUSED 127.0.0.1:1), retrying in 1 s');
  await agent.stop();
});

test('hundreds of attempts leave nothing behind on the signal that stops them', async () => {
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener');
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
  const agent = startTestAgent({
    serverUrl: 'http://127.0.0.1:1',
    timing: { backOff: { baseMs: 0, maxMs: 0, healthyMs: 1 } },
  });
  await expect.poll(() => agent.lines.length, { timeout: 20_000 }).toBeGreaterThan(200);
  const calls = (spy: typeof added | typeof removed) =>
    spy.mock.calls.filter(([type]) => type === 'abort').length;
  expect(calls(added) - calls(removed)).toBeLessThan(20);
});

test('a server that accepts and says nothing is given up in time', async () => {
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.resume();
    }),
  );
  const agent = startTestAgent({ serverUrl: `http://127.0.0.1:${port}`, timing: { answerTimeoutMs: 20 } });
  await expect
    .poll(() => agent.lines[0], { timeout: 20_000 })
    .toBe('enrolment: failed (no answer), retrying in 1 s');
});

test('stopping says goodbye: the server sees it at once', async () => {
  const cloud = await createFakeCloud();
  const agent = startTestAgent({ serverUrl: cloud.url });
  const link = await cloud.nextLink();
  await link.getInfo();
  await agent.stop();
  expect(await link.closed).toBe('shutdown');
});
