import type { OwnName } from '../../../platform/http/reverse-proxy/headers.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';

/** By what name a service that is set so is spoken to, in place of the origin by which browsers reach it. */
export function readOwnName(
  origin: string,
  { scheme, hostHeader }: Pick<TunnelAccess, 'scheme' | 'hostHeader'>,
): OwnName | undefined {
  if (hostHeader === null) return undefined;
  return { origin, ownOrigin: new URL(`${scheme ?? 'http'}://${hostHeader}`).origin, host: hostHeader };
}
