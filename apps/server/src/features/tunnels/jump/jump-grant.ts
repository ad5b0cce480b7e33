import type { SshKeyOwner } from '../../accounts/index.ts';
import type { TunnelGrant } from '../live-tunnels.repository.ts';
import type { TunnelTarget } from '../tunnels.repository.ts';

/** What a login by key rests on, and a channel to a controller that it has opened. */
export function jumpGrant(
  { userId, keyId, sessionId, credentials }: SshKeyOwner,
  target: TunnelTarget | null,
): TunnelGrant {
  return { userId, credentials, tunnelId: null, sessionId, keyId, target, port: null };
}
