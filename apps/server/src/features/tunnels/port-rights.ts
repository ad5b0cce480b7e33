import {
  type ConnectionKind,
  isAllowed,
  isForwarding,
  listReservedPorts,
  type TunnelPlace,
} from '@pult/contract';
import type { ControllerCaller, Scope } from '../../platform/access/index.ts';
import { RoleRefusal } from '../../platform/errors.ts';
import { isInScope } from '../../platform/http/principal.ts';
import { requireInScope } from '../../platform/http/token-scope.ts';

/** By the kind of the device. */
export type ReservedPorts = ReturnType<typeof listReservedPorts>;

const forward = 'tunnels.forward';

/** Who may use which port of a controller. SQL asks the same of what is open (port-rights.repository.ts). */
export interface PortRights {
  readonly reserved: ReservedPorts;
  /** Whether it takes `tunnels.forward`, which no guest has: every forwarding tunnel, and a reserved port over HTTP. */
  takesForward(use: TunnelPlace, kind: ConnectionKind): boolean;
  /**
   * Throws `role_forbidden`, `port_reserved` or `token_forbidden` where the use takes `tunnels.forward` besides the permission of the
   * call. Returns the scope of what follows.
   */
  require(caller: ControllerCaller, use: TunnelPlace): Scope;
}

/** `added` are those of the installation, besides the ports of the contract. */
export function createPortRights({ added }: { added: readonly number[] }): PortRights {
  const reserved = listReservedPorts(added);

  function takesForward({ protocol, port }: TunnelPlace, kind: ConnectionKind): boolean {
    return isForwarding(protocol) || (port !== null && reserved[kind].includes(port));
  }

  return {
    reserved,
    takesForward,
    require({ principal, scope, scopeFor, role, organization, controller }, use) {
      const { connectionKind, serialNumber: subject } = controller;
      const { protocol, port } = use;
      if (!takesForward(use, connectionKind)) return scope;
      if (isForwarding(protocol)) requireInScope(principal, forward);
      if (isInScope(principal, forward) && role !== null && isAllowed(role, forward))
        return scopeFor(forward);
      const attempt = { organizationId: organization.id, subject, permission: forward } as const;
      throw isForwarding(protocol)
        ? new RoleRefusal(attempt)
        : new RoleRefusal(attempt, 'port_reserved', { port: String(port) });
    },
  };
}
