import { isIP } from 'node:net';
import { withoutBrackets } from '../../../platform/network.ts';

/** Whom passkeys are made for (Web Authentication Level 3, section 5.1.2): the host of PUBLIC_URL, and no other. */
export interface RelyingParty {
  /** The host, without a port. */
  id: string;
  origin: string;
  /** As the only login: not where web interfaces of devices have hosts below this one, who might ask for a passkey of it. */
  isForLogin: boolean;
}

/** `tunnelDomain` may have a port. Undefined where browsers have no passkeys: without https, or at an address that is no name. */
export function findRelyingParty(publicUrl: string, tunnelDomain: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl);
  if (isIP(withoutBrackets(hostname)) !== 0) return undefined;
  if (protocol !== 'https:' && hostname !== 'localhost') return undefined;
  const tunnelHost = tunnelDomain.replace(/:\d+$/, '');
  const isTunnelBelow = tunnelHost === hostname || tunnelHost.endsWith(`.${hostname}`);
  return { id: hostname, origin, isForLogin: !isTunnelBelow };
}
