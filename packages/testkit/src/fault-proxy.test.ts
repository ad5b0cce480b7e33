import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashByteSource } from './byte-source.ts';
import { FaultProxy } from './fault-proxy.ts';
import { HttpClient } from './http-client.ts';
import { poll } from './poll.ts';
import { startWebServer, type WebServer } from './web-server/index.ts';

let web: WebServer;
let proxy: FaultProxy;
const client = new HttpClient();
const url = (path: string) => `http://device:${proxy.port}${path}`;

beforeAll(async () => {
  web = await startWebServer();
  proxy = await FaultProxy.start({ target: web });
});
afterAll(async () => {
  await proxy.stop();
  await web.stop();
});

async function connectRaw(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

test('passes everything on while nothing is wrong', async () => {
  const answer = await client.request(url('/download/3000000'));
  expect(await answer.hash()).toEqual({ bytes: 3_000_000, sha256: hashByteSource(3_000_000) });
});

test('resets every connection', async () => {
  const answer = await client.request(url('/slow'));
  proxy.reset();
  await expect(answer.text()).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('cuts a direction at its byte limit', async () => {
  proxy.byteLimit = 100_000;
  const answer = await client.request(url('/download/3000000'));
  await expect(answer.hash()).rejects.toMatchObject({ code: 'ECONNRESET' });
  proxy.byteLimit = Number.POSITIVE_INFINITY;
});

test('stays connected and silent, then goes on', async () => {
  proxy.silence();
  const socket = await connectRaw();
  const before = web.requests.length;
  socket.write('GET /landed HTTP/1.1\r\nHost: device\r\nConnection: close\r\n\r\n');
  const data = once(socket, 'data');
  // A round trip past the proxy: enough for the bytes to have arrived had they been passed on.
  await client.request(`${web.url}/landed`);
  expect(web.requests.length).toBe(before + 1);
  proxy.resume();
  expect(String((await data)[0])).toContain('200 OK');
  socket.destroy();
});

test('silences one way of what is open, hides its end, and lets new connections pass', async () => {
  const socket = await connectRaw();
  const before = web.requests.length;
  proxy.silenceOpen('back');
  socket.write('GET /landed HTTP/1.1\r\nHost: device\r\nConnection: close\r\n\r\n');
  const data = once(socket, 'data');
  await poll(async () => web.requests.length === before + 1, { what: 'the request passes' });
  expect((await client.request(url('/landed'))).status).toBe(200);
  expect(socket.readableEnded).toBe(false);
  expect(socket.bytesRead).toBe(0);
  proxy.resume();
  expect(String((await data)[0])).toContain('200 OK');
  socket.destroy();
});

test('refuses new connections', async () => {
  proxy.isRefusing = true;
  await expect(client.request(url('/landed'))).rejects.toMatchObject({ code: 'ECONNRESET' });
  proxy.isRefusing = false;
});

test('delay, jitter, small slices and losses change the time and nothing else', async () => {
  Object.assign(proxy, { delayMs: 5, jitterMs: 10, sliceBytes: 700, lossShare: 0.05, retransmissionMs: 20 });
  const answer = await client.request(url('/download/300000'));
  expect(await answer.hash()).toEqual({ bytes: 300_000, sha256: hashByteSource(300_000) });
  Object.assign(proxy, { delayMs: 0, jitterMs: 0, sliceBytes: Number.POSITIVE_INFINITY, lossShare: 0 });
});

test('slices arrive one by one, none larger than it was told', async () => {
  proxy.sliceBytes = 100;
  const socket = await connectRaw();
  const sizes: number[] = [];
  socket.on('data', (chunk) => sizes.push(chunk.length));
  socket.write('GET /download/2000 HTTP/1.1\r\nHost: device\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  proxy.sliceBytes = Number.POSITIVE_INFINITY;
  // A reader that is late finds two of them together; never all.
  expect(sizes.length).toBeGreaterThan(5);
});

test('a limited line takes the time its bytes need', async () => {
  proxy.bytesPerSecond = 100_000;
  const started = performance.now();
  const answer = await client.request(url('/download/50000'));
  expect((await answer.hash()).bytes).toBe(50_000);
  // A timer may fire a millisecond early; none of it can be faster.
  expect(performance.now() - started).toBeGreaterThan(450);
  proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
});
