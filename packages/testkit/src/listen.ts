import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Listens on a free loopback port and closes with the test. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}
