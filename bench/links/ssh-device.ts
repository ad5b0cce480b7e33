import { sign } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import ssh2 from 'ssh2';
import { type DeviceCounts, stayLinked } from './device.ts';
import { createBenchIdentity, getBenchSshKey } from './device-keys.ts';

/** The device's key, which ssh2 reads from no format that Node writes. */
class BenchAgent extends ssh2.BaseAgent<Buffer> {
  private readonly number: number;

  constructor(number: number) {
    super();
    this.number = number;
  }

  override getIdentities(callback: ssh2.IdentityCallback<Buffer>): void {
    callback(undefined, [getBenchSshKey(this.number)]);
  }

  override sign(
    _key: unknown,
    data: Buffer,
    options: ssh2.SigningRequestOptions | ssh2.SignCallback,
    callback?: ssh2.SignCallback,
  ): void {
    const done = typeof options === 'function' ? options : callback;
    done?.(undefined, sign(null, data, createBenchIdentity(this.number).key));
  }
}

/**
 * Logs in by SSH with one forward, stays, and logs in again, for ever, with the pings that the installation script asks its client for.
 * `enter` holds it back at each login.
 */
export function runBenchSsh(
  number: number,
  { port, localAddress }: { port: number; localAddress: string },
  counts: DeviceCounts,
  enter: <T>(connect: () => Promise<T>) => Promise<T>,
): Promise<never> {
  const username = `device+${createBenchIdentity(number).serialNumber}`;
  return stayLinked(counts, async () => ({ ended: once(await enter(logIn), 'close') }));

  async function logIn(): Promise<ssh2.Client> {
    const sock = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    await once(sock, 'connect');
    const client = new ssh2.Client();
    client.on('error', () => {}); // It is told by what waits for it.
    client.connect({
      sock,
      username,
      agent: new BenchAgent(number),
      readyTimeout: 60_000,
      keepaliveInterval: 30_000,
      keepaliveCountMax: 3,
    });
    await once(client, 'ready');
    await new Promise<void>((resolve, reject) => {
      client.forwardIn('pult-http', 80, (error) => (error ? reject(error) : resolve()));
    });
    return client;
  }
}
