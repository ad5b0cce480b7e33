import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { FrpClient } from '@pult/testkit';
import type { DeviceCounts } from './device.ts';

interface TunnelSettings {
  user: string;
  token: string;
  port: number;
  localAddress: string;
  /** The server ends TLS itself. */
  isSecure: boolean;
}

/** Logs in by frp, stays, and logs in again, for ever. `enter` holds it back at each login. */
export async function runBenchTunnel(
  { user, token, port, localAddress, isSecure }: TunnelSettings,
  counts: DeviceCounts,
  enter: <T>(connect: () => Promise<T>) => Promise<T>,
): Promise<never> {
  for (;;) {
    try {
      const client = await enter(async () => {
        const to = { port, host: '127.0.0.1', localAddress, noDelay: true };
        // That its name is right is verified by controllers, and costs the server nothing.
        const socket = isSecure ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
        await once(socket, isSecure ? 'secureConnect' : 'connect');
        const opened = new FrpClient(socket, { user, token });
        await Promise.race([opened.ready, opened.closed.then(() => Promise.reject(new Error('refused')))]);
        return opened;
      });
      counts.linked += 1;
      await client.closed;
      counts.linked -= 1;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      counts.failed[message] = (counts.failed[message] ?? 0) + 1;
    }
    await wait(1000);
  }
}
