import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { FrpClient } from '@pult/testkit';
import { type DeviceCounts, stayLinked } from './device.ts';

interface TunnelSettings {
  user: string;
  token: string;
  port: number;
  localAddress: string;
  /** The server ends TLS itself. */
  isSecure: boolean;
}

/** Logs in by frp, stays, and logs in again, for ever. `enter` holds it back at each login. */
export function runBenchTunnel(
  { user, token, port, localAddress, isSecure }: TunnelSettings,
  counts: DeviceCounts,
  enter: <T>(connect: () => Promise<T>) => Promise<T>,
): Promise<never> {
  async function logIn(): Promise<FrpClient> {
    const to = { port, host: '127.0.0.1', localAddress, noDelay: true };
    // That its name is right is verified by controllers, and costs the server nothing.
    const socket = isSecure ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
    await once(socket, isSecure ? 'secureConnect' : 'connect');
    const opened = new FrpClient(socket, { user, token });
    await Promise.race([opened.ready, opened.closed.then(() => Promise.reject(new Error('refused')))]);
    return opened;
  }
  return stayLinked(counts, async () => ({ ended: (await enter(logIn)).closed }));
}
