import { setTimeout as delay } from 'node:timers/promises';
import { FaultProxy, freePort, hashByteSource, poll, startWebServer, WebSocketMessages } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addController,
  getController,
  openWebInterface,
  type Site,
  startSite,
  waitForStatus,
} from './site.ts';
import { startTerminal, TerminalClient } from './terminal-client.ts';

let site: Site;
let proxy: FaultProxy;
/** A controller whose link goes through the proxy. */
let remote: Site;

beforeAll(async () => {
  const port = await freePort();
  const serverUrl = `http://127.0.0.1:${port}`;
  site = await startSite({ serverEnv: { AGENT_URLS: serverUrl, METRICS_INTERVAL_SECONDS: '10' } });
  // Nothing listens on `localhost` over IPv6; the server is on 127.0.0.1.
  proxy = await FaultProxy.start({ port, target: { host: '127.0.0.1', port: site.server.port } });
  remote = await addController(site, { serverUrl });
}, 120_000);
afterAll(async () => {
  await remote?.[Symbol.asyncDispose]();
  await proxy?.stop();
  await site?.[Symbol.asyncDispose]();
});

const readUntilCut = async (path: string, cut: () => Promise<unknown> | unknown) => {
  const browser = await openWebInterface(remote);
  const answer = await browser.request(remote.tunnelUrl + path);
  expect(answer.status).toBe(200);
  let received = 0;
  const reading = (async () => {
    for await (const chunk of answer.body) {
      if (received === 0) await cut();
      received += chunk.length;
    }
  })();
  return { reading, received: () => received };
};

const openSocket = async () => {
  const browser = await openWebInterface(remote);
  return browser.openWebSocket(`${remote.tunnelUrl}/ws`, { headers: { origin: remote.tunnelUrl } });
};
const openShell = async () => {
  const terminal = await startTerminal(remote);
  const message = await terminal.nextMessage();
  if (message.type !== 'ready') throw new Error(`not ready: ${JSON.stringify(message)}`);
  return { terminal, resumeToken: message.resumeToken };
};

test.each([
  ['with a length', '/download/30000000'],
  ['without a length', '/download/30000000?chunked'],
])('a download %s whose link is reset again and again is whole', async (_name, path) => {
  const browser = await openWebInterface(remote);
  const answer = await browser.request(remote.tunnelUrl + path);
  let [bytes, resets] = [0, 0];
  answer.body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (resets === 5 || bytes < (resets + 1) * 5_000_000) return;
    resets += 1;
    proxy.reset();
  });
  expect((await answer.hash()).sha256).toBe(hashByteSource(30_000_000));
  expect(resets).toBe(5);
});

test('a terminal, a WebSocket and a download go on after their line was cut for 8 s, nothing lost or doubled', async () => {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => String(from + at));
  const { terminal } = await openShell();
  terminal.type('stty -echo -onlcr; for i in $(seq 0 199); do echo n$i; sleep 0.05; done; echo fin""ished\r');
  await terminal.waitForOutput(/n5\n/);
  const socket = await openSocket();
  const echoes = new WebSocketMessages(socket);
  const sendAll = (texts: string[]) => {
    for (const text of texts) socket.send(text);
  };
  const browser = await openWebInterface(remote);
  proxy.bytesPerSecond = 4_000_000;
  try {
    const answer = await browser.request(`${remote.tunnelUrl}/download/8000000`);
    const whole = answer.hash();
    let bytes = 0;
    answer.body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await expect.poll(() => bytes).toBeGreaterThan(1_000_000);
    sendAll(numbers(0, 50));
    proxy.isRefusing = true;
    proxy.reset();
    const back = delay(8_000);
    expect(await terminal.nextMessage()).toMatchObject({ type: 'controllerLost' });
    sendAll(numbers(50, 100));
    terminal.type('echo ty""ped $((6 * 7))\r');
    await waitForStatus(remote, 'offline');
    await back;
    expect(bytes).toBeLessThan(8_000_000);
    proxy.isRefusing = false;
    expect(await terminal.nextMessage()).toEqual({ type: 'controllerBack' });
    sendAll(numbers(100, 150));
    expect(await whole).toEqual({ bytes: 8_000_000, sha256: hashByteSource(8_000_000) });
  } finally {
    proxy.isRefusing = false;
    proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
  }
  const echoed: string[] = [];
  while (echoed.length < 150) echoed.push(String((await echoes.next()).data));
  expect(echoed).toEqual(numbers(0, 150));
  await terminal.waitForOutput(/typed 42\n/);
  const shown = terminal.output.match(/^(n\d+|finished|typed 42)$/gm);
  expect(shown).toEqual([...numbers(0, 200).map((number) => `n${number}`), 'finished', 'typed 42']);
  terminal.close();
  socket.close();
  await waitForStatus(remote, 'online');
});

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

/** What each line does to a link, and how it is taken away again. */
const faults = {
  '5 % loss': { lossShare: 0.05 },
  'half a second each way': { delayMs: 500 },
  '1 kB a second': { bytesPerSecond: 1000 },
  'jitter and small slices': { jitterMs: 50, sliceBytes: 20 },
};
const noFault = {
  delayMs: 0,
  jitterMs: 0,
  lossShare: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  sliceBytes: Number.POSITIVE_INFINITY,
};

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
    const answer = await browser.request(`${remote.tunnelUrl}/download/12000000`);
    const whole = answer.hash();
    await expect.poll(told, { timeout: 15_000 }).toBe(true);
    expect(proxy.connections).toBe(before + 1);
    const { terminal } = await openShell();
    proxy.resetOldest();
    terminal.type('echo ty""ped $((6 * 7))\r');
    await terminal.waitForOutput(/typed 42\r\n/);
    expect(await whole).toEqual({ bytes: 12_000_000, sha256: hashByteSource(12_000_000) });
    expect((await getController(remote)).status).toBe('online');
    expect(remote.agent.process.hasLine(/link: lost/, since)).toBe(false);
    terminal.close();
  } finally {
    Object.assign(proxy, noFault);
  }
}, 60_000);

test.each([
  ['both ways', ['there', 'back']],
  ['to the server', ['there']],
  ['to the device', ['back']],
] as const)(
  'a download and a WebSocket whose connection falls silent %s go on over a second one, and the agent never loses its link',
  async (_name, ways) => {
    const browser = await openWebInterface(remote);
    const since = remote.agent.process.nextLine;
    const hasTried = () =>
      remote.agent.process.hasLine(/does not answer, another one is tried beside it/, since);
    proxy.bytesPerSecond = 3_000_000;
    try {
      const answer = await browser.request(`${remote.tunnelUrl}/download/12000000`);
      const whole = answer.hash();
      let bytes = 0;
      answer.body.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      const socket = await openSocket();
      const echoes = new WebSocketMessages(socket);
      await expect.poll(() => bytes).toBeGreaterThan(1_000_000);
      proxy.silenceOpen(...ways);
      const sent = Array.from({ length: 100 }, (_, at) => `${at} ${'x'.repeat(10_000)}`);
      for (const text of sent) socket.send(text);
      expect(await whole).toEqual({ bytes: 12_000_000, sha256: hashByteSource(12_000_000) });
      const echoed: string[] = [];
      while (echoed.length < sent.length) echoed.push(String((await echoes.next()).data));
      expect(echoed).toEqual(sent);
      socket.close();
      expect(hasTried()).toBe(true);
      expect(remote.agent.process.hasLine(/link: lost/, since)).toBe(false);
      await waitForStatus(remote, 'online');
    } finally {
      Object.assign(proxy, noFault);
      proxy.resume();
    }
  },
  60_000,
);

test.each(Object.entries(faults))(
  'the link over a line with %s comes back by itself and carries a page',
  async (_name, fault) => {
    // A new process: what is shown is the line, not what the tests before have left behind.
    await remote.agent.halt();
    remote.agent.start();
    await remote.agent.waitForLink();
    await waitForStatus(remote, 'online');
    const browser = await openWebInterface(remote);
    const since = remote.agent.process.nextLine;
    Object.assign(proxy, fault);
    try {
      proxy.reset();
      await remote.agent.waitForLink(since);
      await waitForStatus(remote, 'online');
      const answer = await browser.request(`${remote.tunnelUrl}/download/3000`);
      expect((await answer.hash()).sha256).toBe(hashByteSource(3000));
    } finally {
      Object.assign(proxy, noFault);
    }
  },
  60_000,
);

test('nothing that was measured meanwhile is stored twice', async () => {
  const { api, serialNumber } = remote;
  const readUptimes = async () => {
    const [start, stop] = [-600_000, 60_000].map((ago) => new Date(Date.now() + ago).toISOString());
    if (!start || !stop) throw new Error('two times in, two out');
    const body = { name: 'uptime' as const, start, stop };
    const samples = await api.call('querySystemMetrics', { params: { serialNumber }, body });
    return samples.map(({ value }) => value);
  };
  const before = await readUptimes();
  const since = remote.agent.process.nextLine;
  proxy.reset();
  await remote.agent.waitForLink(since);
  // The line is well again, so what waited is told, and something new after it.
  const uptimes = await poll(
    async () => {
      const now = await readUptimes();
      return now.length > before.length && now;
    },
    { what: 'something new was measured' },
  );
  expect(uptimes.length).toBeGreaterThan(1);
  // The uptime of a machine never repeats: one told twice would show at two times.
  expect(new Set(uptimes).size).toBe(uptimes.length);
});

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

// A server may take a minute to start beside a busy machine (startServerProcess).
/** What people have open, and how each of it ends. */
const openAll = async () => {
  const socket = await openSocket();
  const socketClosed = new Promise((resolve) => socket.once('close', resolve));
  const { reading } = await readUntilCut('/download/2000000000', () => {});
  const downloadFailed = expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
  return { ...(await openShell()), ended: Promise.all([socketClosed, downloadFailed]) };
};

test('a killed server: all that was open ends, agents come back to it, nobody has to claim anything again', async () => {
  const since = remote.agent.process.nextLine;
  const { terminal, resumeToken, ended } = await openAll();
  await site.server.kill();
  await Promise.all([ended, terminal.closed]);
  await site.server.start();
  await remote.agent.waitForLink(since);
  await waitForStatus(remote, 'online');
  expect(remote.agent.process.hasLine(/activation link/, since)).toBe(false);
  await openWebInterface(remote);
  const again = await TerminalClient.open(remote);
  again.send({ type: 'resume', resumeToken, received: terminal.received, columns: 80, rows: 24 });
  expect(await again.nextMessage()).toMatchObject({ type: 'failed', code: 'session_gone' });
}, 90_000);

test('a stopped server says goodbye, ends all that is open, and agents come back to the next one', async () => {
  const since = remote.agent.process.nextLine;
  const { terminal, ended } = await openAll();
  const told = terminal.nextMessage();
  expect(await site.server.halt()).toEqual({ code: 0, signal: null });
  expect(await told).toMatchObject({ type: 'failed', code: 'server_stopping' });
  await ended;
  await site.server.start();
  await remote.agent.waitForLink(since);
  await waitForStatus(remote, 'online');
}, 90_000);
