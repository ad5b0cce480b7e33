import { once } from 'node:events';
import { connect } from 'node:net';
import { wait } from '@pult/link';

const knockMs = 50;

/** Whether the error says that nobody listens yet at an address of this very machine. */
export function isMissingHere(error: unknown, serverUrl: string): boolean {
  const { hostname } = new URL(serverUrl);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return isHere && (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
}

/**
 * Knocks until the server listens, for `limitMs` at most. It starts together with us, and no fleet comes from this machine:
 * there is nothing to stay away for.
 */
export async function waitForLocalServer(
  serverUrl: string,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<void> {
  const { hostname, port, protocol } = new URL(serverUrl);
  const address = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  const until = performance.now() + limitMs;
  while (!signal.aborted && performance.now() < until) {
    const socket = connect(address);
    try {
      await once(socket, 'connect', { signal });
      return;
    } catch {
      await wait(knockMs, signal);
    } finally {
      socket.destroy();
    }
  }
}
