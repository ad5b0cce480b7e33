import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { createLog } from '../../log.ts';
import { createCookieFilter } from './cookie-filter.ts';
import { createReverseProxy } from './reverse-proxy.ts';

const refusal = (status: number) => ({ status, logged: {}, send: () => {} });

/** The socket of a client, which keeps what it is sent. */
class ClientSocket extends Duplex {
  received = '';

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.received += chunk;
    done();
  }
}

it('an upgrade counts from before its connection, which a device may be slow to give', async () => {
  const proxy = createReverseProxy(createLog('silent'));
  let giveUp = (_: Error) => {};
  const connect = vi.fn(
    () =>
      new Promise<never>((_, reject) => {
        giveUp = reject;
      }),
  );
  let open = 0;
  const upgrade = () => {
    const socket = new ClientSocket();
    const request = { method: 'GET', url: '/', headers: { origin: 'http://proxy.test' } } as IncomingMessage;
    proxy.upgrade(request, socket, Buffer.alloc(0), {
      origin: 'http://proxy.test',
      addressOf: () => '192.0.2.1',
      admit: async () => ({
        pool: undefined as never,
        connect,
        headers: {
          forwardedBy: { address: '192.0.2.1', scheme: 'http', host: 'proxy.test' },
          cookies: createCookieFilter({ isSecure: false }),
        },
        limits: { answerTimeoutMs: 10_000, allowsLongUploads: true },
        track() {
          if (open > 0) return refusal(429);
          open += 1;
          const end = () => {
            open -= 1;
          };
          return { watch() {}, count() {}, charge: () => 0, end };
        },
      }),
      forbidden: refusal(403),
      unexpectedBody: refusal(400),
      refusalOf: () => refusal(502),
    });
    return socket;
  };
  const first = upgrade();
  const second = upgrade();
  await expect.poll(() => second.received).toContain('429');
  expect(connect).toHaveBeenCalledTimes(1);
  // One that nobody waits for any more is as much of a connection.
  first.destroy();
  await new Promise((resolve) => first.once('close', resolve));
  expect(open).toBe(1);
  giveUp(new Error('no handshake'));
  await expect.poll(() => open).toBe(0);
});
