import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../../platform/errors.ts';
import type { TunnelHosts } from '../tunnel-hosts.ts';
import type { TunnelGate } from './tunnel-host.ts';
import type { TunnelWay } from './tunnel-way.ts';
import { createWebPlace, type WebPlace } from './web-place.ts';

/** Web interfaces by name: each has a host of its own under `http.<domain>`, on the port of everything else. */
export function createTunnelNames({ hosts, gate }: { hosts: TunnelHosts; gate: TunnelGate }): TunnelWay {
  function placeOf(request: IncomingMessage): WebPlace | null {
    const web = hosts.parse(request.headers.host) ?? null;
    return web && createWebPlace(web, { origin: hosts.originOf(web), hasOwnHost: true });
  }
  return {
    matches: (request) => hosts.parse(request.headers.host) !== undefined,
    request: (request, response) => gate.request(request, response, placeOf(request)),
    upgrade: (request, socket, head) => gate.upgrade(request, socket, head, placeOf(request)),
    async open({ serialNumber }, port) {
      if (!hosts.isPossible) throw new DomainError('tunnel_host_unavailable', { host: hosts.domain });
      return hosts.originOf({ serialNumber, port });
    },
    async start() {},
    whenIdle: async () => {},
    leave() {},
    renewTls() {},
    close: () => gate.close(),
  };
}
