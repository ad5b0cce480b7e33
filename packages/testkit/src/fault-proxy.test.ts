import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashByteSource } from './byte-source.ts';
import { FaultProxy } from './fault-proxy.ts';
import { HttpClient } from './http-client.ts';
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

test('refuses new connections', async () => {
  proxy.isRefusing = true;
  await expect(client.request(url('/landed'))).rejects.toMatchObject({ code: 'ECONNRESET' });
  proxy.isRefusing = false;
});
