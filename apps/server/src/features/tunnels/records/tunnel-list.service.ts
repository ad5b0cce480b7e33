import { lifetimes, type TunnelState, type TunnelView } from '@pult/contract';
import type { OrganizationCaller } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Node } from '../../../platform/cluster/index.ts';
import { DomainError } from '../../../platform/errors.ts';
import { toPage } from '../../../platform/http/pages.ts';
import { isInScope } from '../../../platform/http/principal.ts';
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
  clock: Clock;
  node: Pick<Node, 'id'>;
}) {
  const { repository, records, live, clock, node } = dependencies;

  /** Of a controller outside the caller's part there is no tunnel. One that is gone is the whole organization's. */
  async function requireManaged(caller: OrganizationCaller, { target }: TunnelRecord): Promise<void> {
    try {
      await caller.require('tunnels.manage', { kind: 'controller', id: target.serialNumber });
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'controller_not_found')) throw error;
      if (caller.organization.isPartial) throw new DomainError('tunnel_not_found');
      const whole = { kind: 'organization', id: target.organizationId, at: 'root' } as const;
      await caller.require('tunnels.manage', whole);
    }
  }

  return {
    async listTunnels(caller: OrganizationCaller, query: Query) {
      const { principal, scope, scopeFor, organization } = caller;
      const { id: organizationId } = organization;
      const { state = 'live' } = query;
      await records.flush();
      const page = toPage(query);
      const [results, count] = await Promise.all([
        repository.list({ scope, managed: scopeFor('tunnels.manage') }, organizationId, state, page),
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
    async endTunnel(caller: OrganizationCaller, tunnelId: string): Promise<{ nodeId?: string }> {
      const { id: organizationId } = caller.organization;
      const record = live.find(organizationId, tunnelId);
      const nodeId = record ? undefined : await repository.findNode(organizationId, tunnelId);
      if (nodeId !== undefined && nodeId !== node.id) return { nodeId };
      if (record) await requireManaged(caller, record);
      if (!record || !(await live.end(tunnelId, caller.userId))) throw new DomainError('tunnel_not_found');
      const { kind, target, bytesIn, bytesOut } = record;
      const user = await repository.getEmail(record.userId);
      const details = { user, kind, bytesIn, bytesOut };
      await caller.audit('tunnel.ended', { subject: target.serialNumber, details });
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
