import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const given = new Set<number>();

/** A TCP port of the loopback address that nobody listens on, never the same one twice in a process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A listening TCP server has an address object.
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

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
