import {
  type Attention,
  type AttentionKind,
  attentionKinds,
  connectionKinds,
  isGivenBy,
  limits,
} from '@pult/contract';
import type { CountAt } from '../controllers/index.ts';
import { compareVersions } from '../devices/index.ts';
import type { AgentCount } from './fleet-figures.repository.ts';

export type Place = Omit<CountAt<unknown>, 'what'>;

/** Lost is what has been offline for so long: shorter absences come and go. */
const lostMinutes = 60;
const placesShown = 3;

/** The connections with agents that the server can update. */
const updatable = connectionKinds.filter((kind) => isGivenBy(kind, 'updates'));

/** Lists of controllers that are counted by their filters. */
export const controllerFilters = {
  lost: { offline_minutes_min: lostMinutes },
  update_failed: { agent_update: ['returned', 'failed'] },
} as const;

/** The same as an address has it. */
const asQuery = (filters: object): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]));

const queries = {
  alert_offline: { state: 'firing', kind: 'offline' },
  alert_traffic_100: { state: 'firing', kind: 'traffic_100' },
  alert_traffic_80: { state: 'firing', kind: 'traffic_80' },
  lost: asQuery(controllerFilters.lost),
  update_failed: asQuery(controllerFilters.update_failed),
  agent_outdated: { connection_kind: updatable.join(',') },
  never: { status: 'never' },
} as const satisfies Record<AttentionKind, Record<string, string>>;

/**
 * Those of the agents with a version before the server's, and what these are: as many versions as a filter of the list
 * names, the most frequent ones. A device may say anything of its version; what is none is left out.
 */
export function chooseOutdated(agents: readonly AgentCount[], current: string | undefined) {
  const outdated = agents.filter(({ version, kind }) => {
    const isVersion =
      /^\d{1,9}(\.\d{1,9}){0,3}(-[\w.]+)?$/.test(version) && version.length <= limits.versionLength;
    return (
      current !== undefined && isVersion && updatable.includes(kind) && compareVersions(version, current) < 0
    );
  });
  const chosen = outdated
    .toSorted((one, other) => other.count - one.count)
    .slice(0, limits.versionsPerFilter);
  return {
    versions: chosen.map(({ version }) => version).sort(compareVersions),
    count: chosen.reduce((sum, { count }) => sum + count, 0),
  };
}

function addUp(places: readonly Place[]): Attention['places'] {
  const sums = new Map<string | null, Attention['places'][number]>();
  for (const { groupId, groupName, count } of places) {
    const group = groupId === null ? null : { id: groupId, name: groupName ?? '' };
    if (count > 0) sums.set(groupId, { group, count: (sums.get(groupId)?.count ?? 0) + count });
  }
  return [...sums.values()].sort((one, other) => other.count - one.count);
}

export interface Found {
  count: number;
  /** Of all of them, or nothing is said of where they are. */
  places: readonly Place[];
}

const sumOf = (places: readonly Place[]) => places.reduce((sum, { count }) => sum + count, 0);

/** What is known by its places alone. */
export const addPlaces = (places: readonly Place[]): Found => ({ count: sumOf(places), places });

/** The lines of what there is, the most urgent first. */
export function listAttention(
  found: Readonly<Record<AttentionKind, Found>>,
  outdatedVersions: readonly string[],
): Attention[] {
  return attentionKinds.flatMap((kind) => {
    const { count, places } = found[kind];
    if (count === 0) return [];
    const agents: Record<string, string> =
      kind === 'agent_outdated' ? { agent: outdatedVersions.join(',') } : {};
    return {
      kind,
      count,
      list: kind.startsWith('alert_') ? ('alerts' as const) : ('controllers' as const),
      query: { ...queries[kind], ...agents },
      places: sumOf(places) === count ? addUp(places).slice(0, placesShown) : [],
    };
  });
}
