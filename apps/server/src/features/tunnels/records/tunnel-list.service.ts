import { lifetimes, type TunnelState, type TunnelView } from '@pult/contract';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { DomainError } from '../../../platform/errors.ts';
import { toPage } from '../../../platform/http/pages.ts';
import { isInScope, type Principal } from '../../../platform/http/principal.ts';
import type { Node } from '../../../platform/nodes/index.ts';
import type { ControllersService } from '../../controllers/index.ts';
import { createScope, type OrganizationAccess } from '../../organizations/index.ts';
import type { LiveTunnels } from '../live-tunnels.ts';
import type { TunnelRecord } from './tunnel-record.ts';
import type { TunnelRecordsRepository } from './tunnel-records.repository.ts';
import type { TunnelRecords } from './tunnel-records.ts';

interface Query {
  state?: TunnelState | undefined;
  page?: number | undefined;
  page_size?: number | undefined;
}

/** Who is, and was, at which controller of an organization; for its members to see and its admins to end. */
export function createTunnelListService(dependencies: {
  repository: TunnelRecordsRepository;
  records: TunnelRecords;
  live: LiveTunnels;
  access: OrganizationAccess;
  controllers: Pick<ControllersService, 'requirePermission'>;
  recordAudit: RecordAuditEvent;
  clock: Clock;
  node: Pick<Node, 'id'>;
}) {
  const { repository, records, live, access, controllers, recordAudit, clock, node } = dependencies;

  /** Of a controller outside the caller's part there is no tunnel. One that is gone is the whole organization's. */
  async function requireManaged(principal: Principal, { target }: TunnelRecord): Promise<void> {
    const { serialNumber, organizationId } = target;
    try {
      await controllers.requirePermission(principal, serialNumber, 'tunnels.manage');
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'controller_not_found')) throw error;
      const { isPartial } = await access.require(principal, organizationId, 'organization.read', 'anywhere');
      if (isPartial) throw new DomainError('tunnel_not_found');
      await access.require(principal, organizationId, 'tunnels.manage');
    }
  }

  return {
    async listTunnels(principal: Principal, organizationId: string, query: Query) {
      const { state = 'live' } = query;
      await access.require(principal, organizationId, 'tunnels.open', 'anywhere');
      const scope = createScope(principal, 'tunnels.open');
      await records.flush();
      const page = toPage(query);
      const [results, count] = await Promise.all([
        repository.list(
          { scope, managed: createScope(principal, 'tunnels.manage') },
          organizationId,
          state,
          page,
        ),
        repository.count(scope, organizationId, state),
      ]);
      const maySeeAddresses = isInScope(principal, 'tunnels.manage');
      const shown = ({ isManaged, ...tunnel }: (typeof results)[number]): TunnelView =>
        (maySeeAddresses && isManaged) || tunnel.user?.id === principal.userId
          ? tunnel
          : { ...tunnel, address: null };
      return { page, count, results: results.map(shown) };
    },

    /**
     * Throws `tunnel_not_found` for one that has ended. One that another node has is that node's to end: it is named. Whose role allows it
     * may open another.
     */
    async endTunnel(
      principal: Principal,
      { organizationId, tunnelId }: { organizationId: string; tunnelId: string },
      address: string,
    ): Promise<{ nodeId?: string }> {
      await access.require(principal, organizationId, 'tunnels.manage', 'anywhere');
      const record = live.find(organizationId, tunnelId);
      const nodeId = record ? undefined : await repository.findNode(organizationId, tunnelId);
      if (nodeId !== undefined && nodeId !== node.id) return { nodeId };
      if (record) await requireManaged(principal, record);
      if (!record || !(await live.end(tunnelId, principal.userId))) throw new DomainError('tunnel_not_found');
      const { userId } = principal;
      const { kind, target, bytesIn, bytesOut } = record;
      const event = { userId, organizationId, subject: target.serialNumber, address };
      const user = await repository.getEmail(record.userId);
      await recordAudit({ ...event, action: 'tunnel.ended', details: { user, kind, bytesIn, bytesOut } });
      return {};
    },

    /** What an earlier run of the server has left. */
    endLeft: () => repository.endLeft(),

    /** Run by a job every day. */
    deleteForgotten: () =>
      repository.deleteEndedBefore(new Date(clock.now().getTime() - lifetimes.tunnelHistory * 1000)),
  };
}
export type TunnelListService = ReturnType<typeof createTunnelListService>;
