import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const given = new Set<number>();

/**
 * Ports below those that the system gives to outgoing connections, which would take one before it is listened on, and above
 * 10080, the highest one that `fetch` and browsers refuse (https://fetch.spec.whatwg.org/#port-blocking).
 */
const lowest = 10_100;
const shareSize = 100;
const shares = 109;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/**
 * A TCP port of the loopback address that nobody listens on, never the same one twice in a process. Each process has a
 * share of its own, so that tests beside each other do not get the same one before they listen.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const share = (process.pid + Math.floor(tries / shareSize)) % shares;
    const port = lowest + share * shareSize + randomInt(shareSize);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

/** So many in a row, below those that the system gives to outgoing connections. */
export async function freePortRange(count: number): Promise<{ from: number; to: number }> {
  for (;;) {
    const from = randomInt(21_000, 30_000);
    const wanted = Array.from({ length: count }, (_, index) => from + index);
    if (wanted.some((port) => given.has(port))) continue;
    const free = await Promise.all(wanted.map(isFree));
    if (!free.every(Boolean)) continue;
    for (const port of wanted) given.add(port);
    return { from, to: from + count - 1 };
  }
}
