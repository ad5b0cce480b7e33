import {
  type AlertKind,
  type AuditEvent,
  type FleetPresence,
  isAllowed,
  type Overview,
  type Permission,
  type StatusCounts,
  type TunnelView,
} from '@pult/contract';
import type { OrganizationCaller, Scope } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import { isInScope } from '../../platform/http/principal.ts';
import type { CountAt } from '../controllers/index.ts';
import type { AttentionRepository } from './attention.repository.ts';
import { addPlaces, chooseOutdated, controllerFilters, listAttention } from './attention.ts';
import type { FleetFiguresRepository } from './fleet-figures.repository.ts';

/** What other features show of an organization. */
export interface OverviewSources {
  /** Of the agent that the server hands out; undefined where it has none. */
  agentVersion: string | undefined;
  /** Of the alerts that fire, by root group. */
  countFiring(scope: Scope, organizationId: string): Promise<CountAt<AlertKind>[]>;
  queryPresence(
    caller: OrganizationCaller,
    period: { start: string; stop: string },
    shortestMs: number,
  ): Promise<FleetPresence>;
  listConnections(
    caller: OrganizationCaller,
    query: { page_size: number },
  ): Promise<{ count: number; results: TunnelView[] }>;
  listChanges(caller: OrganizationCaller, limit: number): Promise<AuditEvent[]>;
}

interface Dependencies extends OverviewSources {
  figures: FleetFiguresRepository;
  attention: AttentionRepository;
}

const minute = 60_000;
const day = 24 * 60 * minute;
/** Rows of short lists. */
const shown = { groups: 10, versions: 10, controllers: 5, connections: 5, changes: 8 };

function add(all: readonly StatusCounts[]): StatusCounts {
  const sum = { count: 0, countOnline: 0, countOffline: 0, countNever: 0 };
  for (const counts of all) {
    sum.count += counts.count;
    sum.countOnline += counts.countOnline;
    sum.countOffline += counts.countOffline;
    sum.countNever += counts.countNever;
  }
  return sum;
}

/** What is wrong in an organization and what has changed, as far as its reader may see it. */
export function createOverviewService({ clock }: Core, dependencies: Dependencies) {
  const { figures, attention, agentVersion, ...sources } = dependencies;

  async function queryPresence(caller: OrganizationCaller): Promise<Overview['presence']> {
    // How it was is noted of whole organizations.
    if (caller.organization.isPartial) return undefined;
    const now = clock.now();
    const query = (lengthMs: number, partMs: number) => {
      const period = { start: new Date(now.getTime() - lengthMs).toISOString(), stop: now.toISOString() };
      return sources.queryPresence(caller, period, partMs);
    };
    const [ofDay, ofMonth] = await Promise.all([query(day, 15 * minute), query(30 * day, 6 * 60 * minute)]);
    return { day: ofDay, month: ofMonth };
  }

  return {
    async getOverview(caller: OrganizationCaller): Promise<Overview> {
      const { principal, role, scope } = caller;
      const { id } = caller.organization;
      /** Where the caller has another permission; undefined where nowhere. */
      const callerFor = (permission: Permission): OrganizationCaller | undefined =>
        role !== null && isAllowed(role, permission) && isInScope(principal, permission)
          ? { ...caller, scope: caller.scopeFor(permission) }
          : undefined;
      const readers = {
        alerts: callerFor('alerts.read'),
        connections: callerFor('tunnels.open'),
        changes: callerFor('audit.read'),
      };
      // In two goes: the first page of somebody does not take half of the connections of all.
      const [roots, versions, lost, added, counts, places] = await Promise.all([
        figures.countByRoot(scope, id),
        figures.countByVersion(scope, id),
        figures.listRecentlyLost(scope, id, shown.controllers),
        figures.listRecentlyAdded(scope, id, shown.controllers),
        attention.countMatching(scope, id, controllerFilters),
        attention.countPlaces(scope, id, controllerFilters),
      ]);
      const [firing, presence, connections, changes] = await Promise.all([
        readers.alerts ? sources.countFiring(readers.alerts.scope, id) : [],
        queryPresence(caller),
        readers.connections && sources.listConnections(readers.connections, { page_size: shown.connections }),
        readers.changes && sources.listChanges(readers.changes, shown.changes),
      ]);
      const { firmware, agents } = versions;
      const outdated = chooseOutdated(agents, agentVersion);
      const others = firmware.slice(shown.versions);
      const firingOf = (kind: AlertKind) => addPlaces(firing.filter(({ what }) => what === kind));
      const matching = (name: keyof typeof controllerFilters) => ({
        count: counts.find(({ what }) => what === name)?.count ?? 0,
        places: places.filter(({ what }) => what === name),
      });
      return {
        ...add(roots),
        attention: listAttention(
          {
            alert_offline: firingOf('offline'),
            alert_traffic_100: firingOf('traffic_100'),
            alert_traffic_80: firingOf('traffic_80'),
            lost: matching('lost'),
            update_failed: matching('update_failed'),
            agent_outdated: { count: outdated.count, places: [] },
            never: addPlaces(roots.map(({ countNever: count, ...place }) => ({ ...place, count }))),
          },
          outdated.versions,
        ),
        presence,
        groups: roots.slice(0, shown.groups).map(({ groupId, groupName, ...counts }) => ({
          group: groupId === null ? null : { id: groupId, name: groupName ?? '' },
          ...counts,
        })),
        groupCount: roots.length,
        firmware: firmware.slice(0, shown.versions),
        otherFirmware: { versions: others.length, ...add(others) },
        recentlyLost: lost,
        recentlyAdded: added,
        connections: connections && { count: connections.count, results: connections.results },
        changes,
      };
    },
  };
}
export type OverviewService = ReturnType<typeof createOverviewService>;
