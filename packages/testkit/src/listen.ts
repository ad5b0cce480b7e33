import { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from './listen-on-loopback.ts';

/** Listens on a free loopback port and closes with the test. */
export async function listen(server: Server): Promise<number> {
  const port = await listenOnLoopback(server);
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if (server instanceof HttpServer) server.closeAllConnections();
      }),
  );
  return port;
}
