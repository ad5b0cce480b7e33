import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HttpClient } from '@pult/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
} from '../tunnel.fixture.ts';

let fixture: TunnelFixture;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let device: ClaimedDevice;
let browser: HttpClient;

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    if (request.url === '/quick') response.end('here');
  });
  fixture = await createTunnelFixture({ timing: { tunnelAnswerMs: 60_000 } });
  device = await fixture.addDevice('SLOW-1', { endpoints: { http: upstream.port } });
  browser = await fixture.openBrowser(device);
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});

const headOf = (path: string, cookie: string, ...lines: string[]) =>
  [`GET ${path} HTTP/1.1`, `host: ${new URL(device.origin).host}`, `cookie: ${cookie}`, ...lines, ''].join(
    '\r\n',
  );

/** Connections that have sent this and say no more. */
async function openMany(count: number, text: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(fixture.server.port, '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) socket.on('error', () => {});
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(text);
  return sockets;
}

it('2,000 connections that stop in the middle of their headers keep nobody from a device, and hold little memory', async () => {
  const before = process.memoryUsage().rss;
  await openMany(2_000, headOf('/quick', browser.cookies.getHeader(device.hostname) ?? '', 'x-slow: '));
  for (let count = 0; count < 20; count += 1) {
    const answer = await browser.request(`${device.origin}/quick`);
    expect([answer.status, await answer.text()]).toEqual([200, 'here']);
  }
  // Of both ends of each: they are in this process.
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

it('a user with 250 open requests on a controller is told that it is too many, and others are served', async () => {
  const user = await fixture.addUser('member');
  const greedy = await fixture.openBrowser(device, user);
  const sockets = await openMany(
    250,
    `${headOf('/never', greedy.cookies.getHeader(device.hostname) ?? '')}\r\n`,
  );
  const ask = async () => {
    const headers = { 'accept-language': 'ru', accept: 'text/html' };
    const answer = await greedy.request(`${device.origin}/quick`, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  await expect.poll(async () => fixture.server.server.liveTunnels.size, { timeout: 10_000 }).toBe(250);
  expect(await ask()).toMatchObject({
    status: 429,
    text: expect.stringContaining('Слишком много соединений'),
  });
  const other = await fixture.addDevice('SLOW-2', { endpoints: { http: upstream.port } });
  expect((await (await fixture.openBrowser(other)).request(`${other.origin}/quick`)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await ask()).status).toBe(200);
});
