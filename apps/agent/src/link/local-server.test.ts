import { createServer } from 'node:net';
import { listen } from '@pult/testkit/in-test';
import { expect, it } from 'vitest';
import { isMissingHere, waitForLocalServer } from './local-server.ts';

const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

/** An address of this machine where nobody listens. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'https://[::1]', 'http://127.4.3.2'])(
  'a refused connection to %s is that of a server that is not there yet',
  (url) => {
    expect(isMissingHere(refused, url)).toBe(true);
    expect(isMissingHere(Object.assign(new Error(), { code: 'ECONNRESET' }), url)).toBe(false);
  },
);

it.each([
  'https://pult.example.com',
  'http://192.168.1.10',
  'http://localhost.example.com',
  'http://128.0.0.1',
])('a refused connection to %s leaves the wait to the back-off', (url) =>
  expect(isMissingHere(refused, url)).toBe(false),
);

it('a server of this machine is waited for until it listens', async () => {
  const port = await findFreePort();
  const { signal } = new AbortController();
  const waiting = waitForLocalServer(`http://127.0.0.1:${port}`, { limitMs: 60_000, signal });
  const server = createServer((socket) => socket.destroy());
  const knocked = new Promise((resolve) => server.once('connection', resolve));
  server.listen(port, '127.0.0.1');
  await Promise.all([waiting, knocked]);
  server.close();
});

it('a server of this machine that never comes is waited for no longer than said, nor past a stop', async () => {
  const url = `http://127.0.0.1:${await findFreePort()}`;
  await waitForLocalServer(url, { limitMs: 1, signal: new AbortController().signal });
  const stop = new AbortController();
  const waiting = waitForLocalServer(url, { limitMs: 60_000, signal: stop.signal });
  stop.abort();
  await waiting;
});
