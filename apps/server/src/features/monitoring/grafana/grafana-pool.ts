import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  createUpstreamPool,
  type PoolLimits,
  type UpstreamPool,
} from '../../../platform/http/reverse-proxy/upstream-pool.ts';
import { withoutBrackets } from '../../../platform/network.ts';

const connectTimeoutMs = 10_000;
/** Many people look at dashboards over few connections. */
const poolLimits: PoolLimits = {
  maxSockets: 256,
  maxFreeSockets: 16,
  idleTimeoutMs: 300_000,
  maxSingleSockets: 256,
};

function dial(url: string): { socket: Socket; readyEvent: string } {
  const { hostname, port, protocol } = new URL(url);
  const host = withoutBrackets(hostname);
  if (protocol === 'http:') {
    return { socket: connect({ host, port: Number(port || 80), noDelay: true }), readyEvent: 'connect' };
  }
  const socket = connectTls({ host, port: Number(port || 443), servername: host });
  return { socket, readyEvent: 'secureConnect' };
}

/** A connection to Grafana, encrypted where its address says so. Rejects when there is none within 10 s. */
export async function connectToGrafana(url: string): Promise<Socket> {
  const { socket, readyEvent } = dial(url);
  try {
    await once(socket, readyEvent, { signal: AbortSignal.timeout(connectTimeoutMs) });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}

export function createGrafanaPool(url: string): UpstreamPool {
  return createUpstreamPool(() => connectToGrafana(url), poolLimits);
}
