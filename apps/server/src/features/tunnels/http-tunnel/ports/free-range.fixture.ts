import { once } from 'node:events';
import { createServer } from 'node:net';

const given = new Set<number>();

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

/** Ports in a row on which nobody listens, below those that the system gives to outgoing connections. */
export async function freeRange(count: number): Promise<{ from: number; to: number }> {
  for (;;) {
    const from = 21_000 + Math.floor(Math.random() * 9_000);
    const wanted = Array.from({ length: count }, (_, index) => from + index);
    if (wanted.some((port) => given.has(port))) continue;
    const free = await Promise.all(wanted.map(isFree));
    if (!free.every(Boolean)) continue;
    for (const port of wanted) given.add(port);
    return { from, to: from + count - 1 };
  }
}
