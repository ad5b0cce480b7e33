import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashByteSource } from '../byte-source.ts';
import { HttpClient } from '../http-client.ts';
import { WebSocketMessages } from '../web-socket-messages.ts';
import { startWebServer, type WebServer } from './index.ts';

let web: WebServer;
const client = new HttpClient();
beforeAll(async () => {
  web = await startWebServer({ title: 'Pump house' });
});
afterAll(() => web.stop());

test('serves its page', async () => {
  const answer = await client.request(web.url);
  expect(await answer.text()).toContain('<h1>Pump house</h1>');
});

test.each([0, 1, 65_536, 1_000_001])('a download of %i bytes has the known hash', async (bytes) => {
  const answer = await client.request(`${web.url}/download/${bytes}`);
  expect(await answer.hash()).toEqual({ bytes, sha256: hashByteSource(bytes) });
});

test('a download is made only as fast as it is read', async () => {
  const before = web.downloadedBytes;
  const answer = await client.request(`${web.url}/download/500000000?chunked`);
  answer.body.pause();
  await client.request(`${web.url}/landed`);
  answer.body.destroy();
  expect(web.downloadedBytes - before).toBeLessThan(100_000_000);
});

test('echoes the hash of what was posted', async () => {
  const body = Buffer.from('привет');
  const answer = await client.request(`${web.url}/echo`, { method: 'POST', body });
  expect(await answer.json()).toEqual({
    method: 'POST',
    bytes: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
  });
});

test('echoes WebSocket messages, text and binary', async () => {
  const socket = await client.openWebSocket(`${web.url}/ws`);
  const messages = new WebSocketMessages(socket);
  socket.send('text');
  socket.send(Buffer.from([0, 255]));
  expect(await messages.next()).toEqual({ data: Buffer.from('text'), isBinary: false });
  expect(await messages.next()).toEqual({ data: Buffer.from([0, 255]), isBinary: true });
  socket.close();
  await messages.closed;
});

test('sends events to those who listen', async () => {
  const answer = await client.request(`${web.url}/events`);
  const events = answer.body.setEncoding('utf8')[Symbol.asyncIterator]();
  expect((await events.next()).value).toBe('data: hello\n\n');
  web.sendEvent('relay on');
  expect((await events.next()).value).toBe('data: relay on\n\n');
  answer.body.destroy();
});

test('keeps the cookies of a host and follows redirects', async () => {
  const browser = new HttpClient();
  await (await browser.request(`${web.url}/cookies`)).text();
  const answer = await browser.request(`${web.url}/cookies`);
  expect(await answer.json()).toEqual({ cookie: 'device_session=secret-of-the-device; device_theme=dark' });
  const landed = await browser.request(`${web.url}/redirect/host`, { followRedirects: true });
  expect(await landed.text()).toBe('landed');
});
