import { Agent, createServer, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createDeferred, listen } from '@pult/testkit/in-test';
import { expect, onTestFinished, test, vi } from 'vitest';
import { acceptLink, getLinkTransport, refuseLink } from './accept.ts';
import { dial } from './dial.ts';

async function serveUpgrades(answer: (request: IncomingMessage, socket: Duplex) => void): Promise<string> {
  const server = createServer();
  server.on('upgrade', answer);
  return `http://127.0.0.1:${await listen(server)}/base/`;
}

const transports = ['upgrade', 'websocket'] as const;

test.each(transports)('%s: a refusal of the server comes with its words', async (transport) => {
  let seen: unknown[] = [];
  const url = await serveUpgrades((request, socket) => {
    seen = [request.url, request.headers['x-mine'], getLinkTransport(request)];
    refuseLink(socket, 409, { code: 'link_url_mismatch', detail: 'asked under the wrong name' });
  });
  await expect(dial(url, { transport, headers: { 'x-mine': '1' } })).rejects.toMatchObject({
    status: 409,
    message: 'asked under the wrong name',
    refusal: { code: 'link_url_mismatch' },
  });
  expect(seen).toEqual(['/base/api-agent/v1/link/', '1', transport]);
});

test.each(transports)("%s: a proxy's page is a refusal without words of ours", async (transport) => {
  const server = createServer((_request, response) => {
    response.writeHead(400).end('<html>'.repeat(10_000));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  await expect(dial(url, { transport, headers: {} })).rejects.toMatchObject({ status: 400, refusal: null });
});

test.each(transports)('%s: silence ends in time and closes the connection', async (transport) => {
  const closed = createDeferred();
  const url = await serveUpgrades((_request, socket) => {
    socket.on('error', () => {});
    socket.on('close', () => closed.resolve());
    socket.resume();
    socket.on('end', () => socket.destroy());
  });
  await expect(dial(url, { transport, headers: {}, timeoutMs: 50 })).rejects.toMatchObject({
    name: 'DialTimeoutError',
  });
  await closed.promise;
});

test.each(transports)('%s: an abort rejects with its reason', async (transport) => {
  const abort = new AbortController();
  const url = await serveUpgrades((_request, socket) => {
    socket.on('error', () => {});
    socket.resume();
    socket.on('end', () => socket.destroy());
    abort.abort(new Error('stopping'));
  });
  await expect(dial(url, { transport, headers: {}, signal: abort.signal })).rejects.toThrow('stopping');
});

test.each(transports)('%s: nobody listening is the error of the socket', async (transport) => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  await expect(dial(`http://127.0.0.1:${port}`, { transport, headers: {} })).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});

test.each(transports)("%s: a link has no keep-alive of the kernel's beside its pings", async (transport) => {
  const told = vi.spyOn(Socket.prototype, 'setKeepAlive');
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 30_000 });
  const ends: Duplex[] = [];
  const url = await serveUpgrades(async (request, socket) => {
    ends.push(await acceptLink(request, socket, Buffer.alloc(0)));
  });
  ends.push(await dial(url, { transport, headers: {}, agent }));
  onTestFinished(() => {
    told.mockRestore();
    agent.destroy();
    for (const end of ends) end.destroy();
  });
  // Its agent has made the socket with one, for calls; a server's sockets have none.
  expect(told.mock.calls).toEqual([[false]]);
});
