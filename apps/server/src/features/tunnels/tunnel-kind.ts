import type { TunnelProtocol } from '@pult/contract';
import type { UpgradeRoute } from '../../platform/http/host-server.ts';
import type { TunnelTarget } from './tunnels.repository.ts';

/** A ticket or key for what was prepared, and where on the controller to begin. */
export interface TicketUse {
  ticket: string;
  path: string;
}

/** What one protocol of tunnels needs of the server. */
export interface TunnelKind<Name extends TunnelProtocol = TunnelProtocol> {
  readonly name: Name;
  /**
   * Makes sure that a tunnel can be reached, before its ticket is made, and returns where its client goes with the ticket.
   * Throws where it cannot be. `port`: of a named endpoint, or of a forwarding protocol. `userId`: of whoever opens it.
   */
  prepare(target: TunnelTarget, port: number | null, userId: string): Promise<(use: TicketUse) => string>;
  /** Connections that are tunnels of this kind. */
  readonly upgrades: readonly UpgradeRoute[];
}

/** One for each protocol of the contract's table. */
export type TunnelKinds = { readonly [Name in TunnelProtocol]: TunnelKind<Name> };
