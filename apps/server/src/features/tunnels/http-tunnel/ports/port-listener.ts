import { once } from 'node:events';
import { Server as TlsServer } from 'node:tls';
import {
  createHostServer,
  type HostServer,
  type HostSite,
  type RequestHandler,
  type UpgradeHandler,
} from '../../../../platform/http/host-server.ts';
import { isSameInterface } from '../address.ts';
import type { TunnelProxy, WebEndpoint } from '../strategy.ts';

interface TlsPair {
  cert: string;
  key: string;
}

/** A port of this server on which one web interface is. */
export interface PortListener {
  /** Another interface from now on: whatever is open of the one before is cut. */
  hold(endpoint: WebEndpoint): void;
  /** Whether anything has gone through since the last time this was asked, or is open. */
  wasUsed(): boolean;
  readonly hostServer: HostServer;
  /** Takes no more connections; those there are end with the answers they carry. */
  drain(): void;
  renewTls(tls: TlsPair): void;
  close(): void;
}

/** Listens; rejects as `server.listen` does, with `EADDRINUSE` where another program has the port. */
export async function openPortListener(
  { host, port, tls }: { host: string; port: number; tls: TlsPair | undefined },
  proxy: TunnelProxy,
): Promise<PortListener> {
  let held: { endpoint: WebEndpoint; host: string; site: HostSite } | undefined;
  const nowhere = proxy.siteOf(null);
  let isUsed = false;
  let open = 0;

  function use(closing: { once(event: 'close', listener: () => void): unknown }): void {
    isUsed = true;
    open += 1;
    closing.once('close', () => {
      open -= 1;
    });
  }
  /** Another host name than the one that leads here may be a trick of a name server, and has none of our cookies. */
  const siteFor = (hostHeader: string | undefined) =>
    held && hostHeader?.toLowerCase() === held.host ? held.site : nowhere;

  const request: RequestHandler = (incoming, response) => {
    use(response);
    siteFor(incoming.headers.host).request(incoming, response);
  };
  const upgrade: UpgradeHandler = (incoming, socket, head, stayInHttp) => {
    use(socket);
    siteFor(incoming.headers.host).upgrade(incoming, socket, head, stayInHttp);
  };
  const site: HostSite = { request, upgrade };
  // Every request goes to the proxy: there is no API on this port.
  const hostServer = createHostServer(request, {
    tls,
    hosts: [{ find: () => site }],
    upgrades: [],
  });
  const { server } = hostServer;
  server.listen({ host, port });
  await once(server, 'listening');
  server.unref();

  return {
    hostServer,
    hold(endpoint) {
      const isAnother = held !== undefined && !isSameInterface(held.endpoint.web, endpoint.web);
      held = { endpoint, host: new URL(endpoint.origin).host, site: proxy.siteOf(endpoint) };
      if (isAnother) hostServer.cutAll();
    },
    wasUsed() {
      const answer = isUsed || open > 0;
      isUsed = false;
      return answer;
    },
    renewTls(pair) {
      if (server instanceof TlsServer) server.setSecureContext(pair);
    },
    drain() {
      hostServer.refuseReuse();
      server.close();
    },
    close() {
      server.close();
      hostServer.cutAll();
    },
  };
}
