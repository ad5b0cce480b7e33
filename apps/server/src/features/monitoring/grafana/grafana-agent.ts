import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A connection to Grafana, encrypted where its address says so. */
export function connectToGrafana(url: string): Socket {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:') return connect({ host, port: Number(port || 80), noDelay: true });
  return connectTls({ host, port: Number(port || 443), servername: host });
}

/** Many people look at dashboards over few connections. */
class GrafanaAgent extends Agent {
  private readonly url: string;

  constructor(url: string) {
    super({ keepAlive: true, maxSockets: 256, maxFreeSockets: 16, timeout: 300_000 });
    this.url = url;
  }

  override createConnection(): Socket {
    return connectToGrafana(this.url);
  }
}

export function createGrafanaAgent(url: string): Agent {
  return new GrafanaAgent(url);
}
