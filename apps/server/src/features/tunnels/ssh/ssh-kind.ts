import type { UpgradeRoute } from '../../../platform/http/host-server.ts';
import type { TunnelKind } from '../tunnel-kind.ts';

export const sshTunnel = { name: 'ssh', endpoint: 'ssh' } as const;

/** SSH: the console's terminal with its files, and the raw stream. The terminal's page asks for its ticket itself. */
export function createSshKind(publicUrl: string, upgrades: readonly UpgradeRoute[]): TunnelKind<'ssh'> {
  return {
    ...sshTunnel,
    upgrades,
    prepare:
      async ({ serialNumber }) =>
      () =>
        `${publicUrl}/connect/ssh/${serialNumber}/`,
  };
}
