import { hashByteSource, startWebServer } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectAllGoOn,
  expectOnOverSecond,
  expectPageOver,
  expectWholeOverResets,
  type FaultySite,
  noFault,
  openShell,
  openSocket,
  startFaultySite,
} from './link-faults.fixture.ts';
import { addController, getController, openWebInterface, type Site, waitForStatus } from './site.ts';
import { TerminalClient } from './terminal-client.ts';

// More of each, by the same code, is in tests/release/lines/lines.test.ts.
let faulty: FaultySite;
let site: Site;
let proxy: FaultySite['proxy'];
let remote: Site;

beforeAll(async () => {
  faulty = await startFaultySite();
  ({ site, proxy, remote } = faulty);
}, 120_000);
afterAll(() => faulty?.[Symbol.asyncDispose]());

const readUntilCut = async (path: string, cut: () => Promise<unknown> | unknown) => {
  const browser = await openWebInterface(remote);
  const answer = await browser.request(remote.tunnelUrl + path);
  expect(answer.status).toBe(200);
  const reading = (async () => {
    let isCut = false;
    for await (const _ of answer.body) {
      if (!isCut) await cut();
      isCut = true;
    }
  })();
  return { reading };
};

test.each([
  ['with a length', ''],
  ['without a length', '?chunked'],
])('a download %s whose link is reset twice is whole', (_name, query) =>
  expectWholeOverResets(faulty, { bytes: 9_000_000, query, resets: 2 }),
);

test('a terminal, a WebSocket and a download go on after their line was cut, nothing lost or doubled', () =>
  expectAllGoOn(faulty, { printed: 60, passed: async () => {} }));

test('an agent killed in the middle of a download: offline, after its start an error, and online', async () => {
  const { reading } = await readUntilCut('/download/2000000000', () => remote.agent.kill());
  const failed = expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
  await waitForStatus(remote, 'offline');
  // Nobody can tell it from a cut before another one comes.
  remote.agent.start();
  await failed;
  await waitForStatus(remote, 'online');
});

test('a slow and delayed link still carries everything unchanged', async () => {
  proxy.delayMs = 5;
  proxy.bytesPerSecond = 20_000_000;
  try {
    const browser = await openWebInterface(remote);
    const answer = await browser.request(`${remote.tunnelUrl}/download/3000000`);
    expect((await answer.hash()).sha256).toBe(hashByteSource(3_000_000));
  } finally {
    proxy.delayMs = 0;
    proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
  }
});

test('a large download on a long line has a connection of its own, and goes on when the other one is cut', async () => {
  await remote.agent.halt();
  // Before the start: a link goes by the shortest round trip that it has seen lately.
  Object.assign(proxy, { delayMs: 100, bytesPerSecond: 1_500_000 });
  try {
    remote.agent.start();
    await remote.agent.waitForLink();
    await waitForStatus(remote, 'online');
    const since = remote.agent.process.nextLine;
    const told = () => remote.agent.process.hasLine(/a second connection carries what is large/, since);
    const before = proxy.connections;
    const browser = await openWebInterface(remote);
    const answer = await browser.request(`${remote.tunnelUrl}/download/8000000`);
    const whole = answer.hash();
    await expect.poll(told, { timeout: 15_000 }).toBe(true);
    expect(proxy.connections).toBe(before + 1);
    const { terminal } = await openShell(remote);
    proxy.resetOldest();
    terminal.type('echo ty""ped $((6 * 7))\r');
    await terminal.waitForOutput(/typed 42\r\n/);
    expect(await whole).toEqual({ bytes: 8_000_000, sha256: hashByteSource(8_000_000) });
    expect((await getController(remote)).status).toBe('online');
    expect(remote.agent.process.hasLine(/link: lost/, since)).toBe(false);
    terminal.close();
  } finally {
    Object.assign(proxy, noFault);
  }
}, 60_000);

test(
  'a download and a WebSocket whose connection falls silent go on over a second one, and the agent never loses its link',
  () => expectOnOverSecond(faulty, { bytes: 6_000_000, ways: ['there', 'back'] }),
  60_000,
);

test(
  'the link over a line with jitter, loss and small slices comes back by itself and carries a page',
  () => expectPageOver(faulty, { jitterMs: 50, lossShare: 0.05, sliceBytes: 20 }),
  60_000,
);

test('a web interface that refuses connections is a translated page with the reason', async () => {
  const gone = await startWebServer();
  await using controller = await addController(site, { http: gone.address });
  const browser = await openWebInterface(controller);
  await gone.stop();
  for (const [language, text] of [
    ['ru', /Веб-интерфейс|не отвечает|отказ/],
    ['en', /web interface|refused/i],
  ] as const) {
    const answer = await browser.request(`${controller.tunnelUrl}/landed`, {
      headers: { 'accept-language': language, accept: 'text/html' },
    });
    expect(answer.status).toBe(502);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const page = await answer.text();
    expect(page).toMatch(text);
    expect(page).toContain(`lang="${language}"`);
  }
  const socket = browser.openWebSocket(`${controller.tunnelUrl}/ws`, {
    headers: { origin: controller.tunnelUrl },
  });
  await expect(socket).rejects.toMatchObject({ name: 'WebSocketRefused', status: 502 });
  expect((await getController(controller)).status).toBe('online');
});

test('an offline controller is a translated page on its tunnel host', async () => {
  await using controller = await addController(site, {});
  const browser = await openWebInterface(controller);
  await controller.agent.halt();
  await waitForStatus(controller, 'offline');
  const answer = await browser.request(`${controller.tunnelUrl}/landed`, {
    headers: { 'accept-language': 'en', accept: 'text/html' },
  });
  expect(answer.status).toBe(503);
  expect(await answer.text()).toMatch(/offline/i);
});

test('a page that never answers holds up nobody else', async () => {
  const browser = await openWebInterface(remote);
  const aborts = Array.from({ length: 20 }, () => new AbortController());
  const hanging = aborts.map(({ signal }) => browser.request(`${remote.tunnelUrl}/hang`, { signal }));
  const answer = await browser.request(`${remote.tunnelUrl}/landed`);
  expect(await answer.text()).toBe('landed');
  for (const abort of aborts) abort.abort();
  expect((await Promise.allSettled(hanging)).map(({ status }) => status)).toEqual(Array(20).fill('rejected'));
});

test('a killed server: all that was open ends, agents come back to it, nobody has to claim anything again', async () => {
  const since = remote.agent.process.nextLine;
  const socket = await openSocket(remote);
  const socketClosed = new Promise((resolve) => socket.once('close', resolve));
  const { reading } = await readUntilCut('/download/2000000000', () => {});
  const downloadFailed = expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
  const { terminal, resumeToken } = await openShell(remote);
  await site.server.kill();
  await Promise.all([socketClosed, downloadFailed, terminal.closed]);
  await site.server.start();
  await remote.agent.waitForLink(since);
  await waitForStatus(remote, 'online');
  expect(remote.agent.process.hasLine(/activation link/, since)).toBe(false);
  await openWebInterface(remote);
  const again = await TerminalClient.open(remote);
  again.send({ type: 'resume', resumeToken, received: terminal.received, columns: 80, rows: 24 });
  expect(await again.nextMessage()).toMatchObject({ type: 'failed', code: 'session_gone' });
}, 90_000);

// That a download without end does not keep it from stopping takes its whole grace: shutdown.test.ts.
test('a stopped server says goodbye, ends what is open, and agents come back to the next one', async () => {
  const since = remote.agent.process.nextLine;
  const socket = await openSocket(remote);
  const socketClosed = new Promise((resolve) => socket.once('close', resolve));
  const { terminal } = await openShell(remote);
  const told = terminal.nextMessage();
  expect(await site.server.halt()).toEqual({ code: 0, signal: null });
  expect(await told).toMatchObject({ type: 'failed', code: 'server_stopping' });
  await socketClosed;
  await site.server.start();
  await remote.agent.waitForLink(since);
  await waitForStatus(remote, 'online');
}, 90_000);
