import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFetchStranger } from './fetch-stranger.ts';

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on TCP
}
const get = createFetchStranger({ allowsPrivate: true, timeLimitMs: 500 });

describe('an address that a user chose', () => {
  it('an address is asked, and answers with status, headers and body', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => response.writeHead(201, { 'x-a': ['1', '2'] }).end('ok'));
    });
    const answer = await get(url, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
    expect([answer.status, answer.headers.get('x-a'), await answer.text()]).toEqual([201, '1, 2', 'ok']);
  });

  it('a redirect is answered and not followed', async () => {
    const url = await serve((_, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    );
    expect((await get(url, {})).status).toBe(302);
  });

  it.each<[string, RequestListener]>([
    ['too long', (_, response) => response.end(Buffer.alloc(1_000_001))],
    ['never whole', (_, response) => void response.writeHead(200).write('a')],
    [
      'cut',
      (_, response) =>
        void response.writeHead(200, { 'content-length': 10 }).write('a', () => response.destroy()),
    ],
    ['none', (request) => request.socket.destroy()],
  ])('an answer that is %s is none', async (_, listener) => {
    await expect(get(await serve(listener), {})).rejects.toThrow();
  });

  it.each(['http://127.0.0.1:1/', 'http://localhost:1/', 'http://[::1]:1/'])(
    'the server’s own network is not asked by %s',
    async (url) => {
      const strict = createFetchStranger({ allowsPrivate: false });
      await expect(strict(url, {})).rejects.toMatchObject({ name: 'PrivateAddressError' });
    },
  );
});
