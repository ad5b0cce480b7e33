import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../../platform/errors.ts';
import type { TunnelHosts } from '../tunnel-hosts.ts';
import type { EndpointStrategy } from './endpoint-strategy.ts';
import type { TunnelProxy } from './tunnel-proxy.ts';
import { createWebEndpoint, type WebEndpoint } from './web-endpoint.ts';

/** Web interfaces by name: each has a host of its own under `http.<domain>`, on the port of everything else. */
export function createTunnelNames({
  hosts,
  proxy,
}: {
  hosts: TunnelHosts;
  proxy: TunnelProxy;
}): EndpointStrategy {
  function endpointOf(request: IncomingMessage): WebEndpoint | null {
    const web = hosts.parse(request.headers.host) ?? null;
    return web && createWebEndpoint(web, { origin: hosts.originOf(web), hasOwnHost: true });
  }
  return {
    matches: (request) => hosts.parse(request.headers.host) !== undefined,
    request: (request, response) => proxy.request(request, response, endpointOf(request)),
    upgrade: (request, socket, head) => proxy.upgrade(request, socket, head, endpointOf(request)),
    async open({ serialNumber }, port) {
      if (!hosts.isPossible) throw new DomainError('tunnel_host_unavailable', { host: hosts.domain });
      return hosts.originOf({ serialNumber, port });
    },
    async start() {},
    whenIdle: async () => {},
    drain() {},
    renewTls() {},
    close: () => proxy.close(),
  };
}
