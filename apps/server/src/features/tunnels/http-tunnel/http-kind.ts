import type { TunnelKind } from '../tunnel-kind.ts';
import { ticketPath } from '../tunnels.service.ts';
import type { EndpointStrategy } from './endpoint-strategy.ts';

/** Web interfaces and named endpoints: their requests and WebSockets come to the hosts or ports of the strategy. */
export function createHttpKind(strategy: Pick<EndpointStrategy, 'open'>): TunnelKind {
  return {
    upgrades: [],
    async prepare(target, port) {
      const origin = await strategy.open(target, port);
      return ({ ticket, path }) => `${origin}${ticketPath}?${new URLSearchParams({ ticket, path })}`;
    },
  };
}
