import { FaultProxy, freePort, hashByteSource, poll, startWebServer } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addController,
  getController,
  openWebInterface,
  type Site,
  startSite,
  waitForStatus,
} from './site.ts';

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

test.each([
  ['with a length', '/download/2000000000'],
  ['without a length', '/download/2000000000?chunked'],
])(
  'a link reset in the middle of a download %s is an error, and the agent is back by itself',
  async (_name, path) => {
    const since = remote.agent.process.nextLine;
    const { reading, received } = await readUntilCut(path, () => proxy.reset());
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(received()).toBeLessThan(2_000_000_000);
    await remote.agent.waitForLink(since);
    await waitForStatus(remote, 'online');
    const browser = await openWebInterface(remote);
    const again = await browser.request(`${remote.tunnelUrl}/download/1000000`);
    expect((await again.hash()).sha256).toBe(hashByteSource(1_000_000));
  },
);

test('an agent killed in the middle of a download: an error, offline, online after its start', async () => {
  const { reading } = await readUntilCut('/download/2000000000', () => remote.agent.kill());
  await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
  await waitForStatus(remote, 'offline');
  remote.agent.start();
  await waitForStatus(remote, 'online');
});

test('a WebSocket of a cut link is closed as abnormal', async () => {
  const browser = await openWebInterface(remote);
  const socket = await browser.openWebSocket(`${remote.tunnelUrl}/ws`, {
    headers: { origin: remote.tunnelUrl },
  });
  const code = new Promise((resolve) => socket.once('close', resolve));
  const since = remote.agent.process.nextLine;
  proxy.reset();
  expect(await code).toBe(1006);
  await remote.agent.waitForLink(since);
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
test('a killed server: agents come back to it, nobody has to claim anything again', async () => {
  const since = remote.agent.process.nextLine;
  await site.server.kill();
  await site.server.start();
  await remote.agent.waitForLink(since);
  await waitForStatus(remote, 'online');
  expect(remote.agent.process.hasLine(/activation link/, since)).toBe(false);
  await openWebInterface(remote);
}, 90_000);

test('a stopped server says goodbye and agents come back to the next one', async () => {
  const since = remote.agent.process.nextLine;
  expect(await site.server.halt()).toEqual({ code: 0, signal: null });
  await site.server.start();
  await remote.agent.waitForLink(since);
  await waitForStatus(remote, 'online');
}, 90_000);
