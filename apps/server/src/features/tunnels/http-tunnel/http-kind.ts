import type { TunnelKind } from '../tunnel-kind.ts';
import { ticketPath } from '../tunnels.service.ts';
import type { EndpointStrategy } from './strategy.ts';

export const httpTunnel = { name: 'http', endpoint: 'http' } as const;

/** Web interfaces and named endpoints: their requests and WebSockets come to the hosts or ports of the strategy. */
export function createHttpKind(strategy: Pick<EndpointStrategy, 'open'>): TunnelKind<'http'> {
  return {
    ...httpTunnel,
    upgrades: [],
    async prepare(target, port, userId) {
      const origin = await strategy.open(target, port, userId);
      return ({ ticket, path }) => `${origin}${ticketPath}?${new URLSearchParams({ ticket, path })}`;
    },
  };
}
