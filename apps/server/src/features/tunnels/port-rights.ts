import { type ConnectionKind, isAllowed, listReservedPorts, type Permission } from '@pult/contract';
import { RoleRefusal } from '../../platform/errors.ts';
import { isInScope, type Principal } from '../../platform/http/principal.ts';
import { requireInScope } from '../../platform/http/token-scope.ts';
import type { ControllersService } from '../controllers/index.ts';

/** What of a controller is named, opened, shared or forwarded; the port is null for its own web interface and SSH server. */
export interface PortUse {
  protocol: 'http' | 'ssh' | 'tcp';
  port: number | null;
}

/** By the kind of the device. */
export type ReservedPorts = ReturnType<typeof listReservedPorts>;

const forward = 'tunnels.forward';

/** Who may use which port of a controller. SQL asks the same of what is open (port-rights.repository.ts). */
export interface PortRights {
  readonly reserved: ReservedPorts;
  /** Whether it takes `tunnels.forward`, which no guest has: every TCP tunnel, and a reserved port over HTTP. */
  takesForward(use: PortUse, kind: ConnectionKind): boolean;
  /**
   * Throws what `requirePermission` throws, and `port_reserved` or `token_forbidden` where the use takes `tunnels.forward` as well.
   * Returns the permission for the scope of what follows.
   */
  require(
    principal: Principal,
    serialNumber: string,
    permission: Permission,
    use: PortUse,
  ): Promise<Permission>;
}

export function createPortRights({
  controllers,
  added,
}: {
  controllers: Pick<ControllersService, 'requirePermission'>;
  /** By the installation, to the ports of the contract. */
  added: readonly number[];
}): PortRights {
  const reserved = listReservedPorts(added);

  function takesForward({ protocol, port }: PortUse, kind: ConnectionKind): boolean {
    return protocol === 'tcp' || (port !== null && reserved[kind].includes(port));
  }

  return {
    reserved,
    takesForward,
    async require(principal, serialNumber, permission, use) {
      const standing = await controllers.requirePermission(principal, serialNumber, permission);
      const { connectionKind, organizationId, role } = standing;
      const { protocol, port } = use;
      if (!takesForward(use, connectionKind)) return permission;
      if (protocol === 'tcp') requireInScope(principal, forward);
      if (isInScope(principal, forward) && isAllowed(role, forward)) return forward;
      const attempt = { organizationId, subject: serialNumber, permission: forward } as const;
      throw protocol === 'tcp'
        ? new RoleRefusal(attempt)
        : new RoleRefusal(attempt, 'port_reserved', { port: String(port) });
    },
  };
}
