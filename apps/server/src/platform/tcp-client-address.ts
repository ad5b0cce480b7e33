import type { Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { Logger } from './log.ts';
import { toPlainAddress } from './network.ts';
import { readProxyHeader } from './proxy-header.ts';
import { createStrangerLimit } from './stranger-limit.ts';

/** So many connections of proxies may be waiting for their first bytes: whoever is behind a proxy is not known before. */
const maxUnannounced = 2_000;

/**
 * Tells the address of whoever is at the other end of a plain TCP connection: behind a trusted proxy the one that it says first, if
 * it was told to, and otherwise the proxy's. Rejects when the connection ends or the proxy says nothing within `timeoutMs`.
 */
export function createReadTcpAddress(
  trustedProxies: readonly string[],
  timeoutMs: number,
  { listener, log }: { listener: string; log: Logger },
): (socket: Socket) => Promise<string> {
  const isProxy = proxyAddress.compile([...trustedProxies]);
  const unannounced = createStrangerLimit(
    { perNetwork: maxUnannounced, inTotal: maxUnannounced, patienceMs: 0 },
    { listener, log },
  );
  return async (socket) => {
    const peer = socket.remoteAddress;
    if (peer === undefined) throw new Error('ended before it was accepted');
    if (!isProxy(peer, 0)) return toPlainAddress(peer);
    const release = unannounced.acquire(peer, () => socket.destroy());
    try {
      return toPlainAddress((await readProxyHeader(socket, timeoutMs)) ?? peer);
    } finally {
      release?.();
    }
  };
}
