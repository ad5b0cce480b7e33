import { FaultProxy, type FaultWay, freePort, hashByteSource, WebSocketMessages } from '@pult/testkit';
import { expect } from 'vitest';
import { startLightSite } from './light-server.ts';
import { addController, openWebInterface, type Site, waitForStatus } from './site.ts';
import { startTerminal } from './terminal-client.ts';

/** A controller whose link goes through a proxy that breaks it. */
export interface FaultySite extends AsyncDisposable {
  site: Site;
  proxy: FaultProxy;
  /** The controller. */
  remote: Site;
}

export async function startFaultySite(serverEnv: Record<string, string> = {}): Promise<FaultySite> {
  const port = await freePort();
  const serverUrl = `http://127.0.0.1:${port}`;
  const site = await startLightSite({ serverEnv: { AGENT_URLS: serverUrl, ...serverEnv } });
  // Nothing listens on `localhost` over IPv6; the server is on 127.0.0.1.
  const proxy = await FaultProxy.start({ port, target: { host: '127.0.0.1', port: site.server.port } });
  const remote = await addController(site, { serverUrl });
  return {
    site,
    proxy,
    remote,
    async [Symbol.asyncDispose]() {
      await remote[Symbol.asyncDispose]();
      await proxy.stop();
      await site[Symbol.asyncDispose]();
    },
  };
}

export const noFault = {
  delayMs: 0,
  jitterMs: 0,
  lossShare: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  sliceBytes: Number.POSITIVE_INFINITY,
};

export async function openSocket(remote: Site) {
  const browser = await openWebInterface(remote);
  return browser.openWebSocket(`${remote.tunnelUrl}/ws`, { headers: { origin: remote.tunnelUrl } });
}

export async function openShell(remote: Site) {
  const terminal = await startTerminal(remote);
  const message = await terminal.nextMessage();
  if (message.type !== 'ready') throw new Error(`not ready: ${JSON.stringify(message)}`);
  return { terminal, resumeToken: message.resumeToken };
}

/** A download whose link is reset so often, each time a part of it has come, is whole. */
export async function expectWholeOverResets(
  { remote, proxy }: FaultySite,
  { bytes, query = '', resets }: { bytes: number; query?: string; resets: number },
): Promise<void> {
  const browser = await openWebInterface(remote);
  const answer = await browser.request(`${remote.tunnelUrl}/download/${bytes}${query}`);
  let [received, done] = [0, 0];
  answer.body.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (done === resets || received < ((done + 1) * bytes) / (resets + 1)) return;
    done += 1;
    proxy.reset();
  });
  expect((await answer.hash()).sha256).toBe(hashByteSource(bytes));
  expect(done).toBe(resets);
}

const listNumbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => String(from + at));

/**
 * A terminal, a WebSocket and a download go on after their line was cut until the controller was seen offline and `passed` is over. The
 * shell prints so many numbers, 50 ms apart.
 */
export async function expectAllGoOn(
  { remote, proxy }: FaultySite,
  { printed, passed }: { printed: number; passed: () => Promise<unknown> },
): Promise<void> {
  const { terminal } = await openShell(remote);
  terminal.type(
    `stty -echo -onlcr; for i in $(seq 0 ${printed - 1}); do echo n$i; sleep 0.05; done; echo fin""ished\r`,
  );
  await terminal.waitForOutput(/n5\n/);
  const socket = await openSocket(remote);
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
    sendAll(listNumbers(0, 50));
    proxy.isRefusing = true;
    proxy.reset();
    const isPassed = passed();
    expect(await terminal.nextMessage()).toMatchObject({ type: 'controllerLost' });
    sendAll(listNumbers(50, 100));
    terminal.type('echo ty""ped $((6 * 7))\r');
    await waitForStatus(remote, 'offline');
    await isPassed;
    expect(bytes).toBeLessThan(8_000_000);
    proxy.isRefusing = false;
    expect(await terminal.nextMessage()).toEqual({ type: 'controllerBack' });
    sendAll(listNumbers(100, 150));
    expect(await whole).toEqual({ bytes: 8_000_000, sha256: hashByteSource(8_000_000) });
  } finally {
    proxy.isRefusing = false;
    proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
  }
  const echoed: string[] = [];
  while (echoed.length < 150) echoed.push(String((await echoes.next()).data));
  expect(echoed).toEqual(listNumbers(0, 150));
  await terminal.waitForOutput(/typed 42\n/);
  const shown = terminal.output.match(/^(n\d+|finished|typed 42)$/gm);
  expect(shown).toEqual([...listNumbers(0, printed).map((number) => `n${number}`), 'finished', 'typed 42']);
  terminal.close();
  socket.close();
  await waitForStatus(remote, 'online');
}

/** A download and a WebSocket whose connection falls silent those ways go on over a second one. */
export async function expectOnOverSecond(
  { remote, proxy }: FaultySite,
  { bytes, ways }: { bytes: number; ways: readonly FaultWay[] },
): Promise<void> {
  const browser = await openWebInterface(remote);
  const since = remote.agent.process.nextLine;
  proxy.bytesPerSecond = 3_000_000;
  try {
    const answer = await browser.request(`${remote.tunnelUrl}/download/${bytes}`);
    const whole = answer.hash();
    let received = 0;
    answer.body.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    const socket = await openSocket(remote);
    const echoes = new WebSocketMessages(socket);
    await expect.poll(() => received).toBeGreaterThan(1_000_000);
    proxy.silenceOpen(...ways);
    const sent = Array.from({ length: 100 }, (_, at) => `${at} ${'x'.repeat(10_000)}`);
    for (const text of sent) socket.send(text);
    expect(await whole).toEqual({ bytes, sha256: hashByteSource(bytes) });
    const echoed: string[] = [];
    while (echoed.length < sent.length) echoed.push(String((await echoes.next()).data));
    expect(echoed).toEqual(sent);
    socket.close();
    expect(remote.agent.process.hasLine(/does not answer, another one is tried beside it/, since)).toBe(true);
    expect(remote.agent.process.hasLine(/link: lost/, since)).toBe(false);
    await waitForStatus(remote, 'online');
  } finally {
    Object.assign(proxy, noFault);
    proxy.resume();
  }
}

/** A link over a line with that fault comes back by itself after it was reset, and carries a page. */
export async function expectPageOver(
  { remote, proxy }: FaultySite,
  fault: Partial<typeof noFault>,
): Promise<void> {
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
}
