import {
  type Attention,
  type AttentionKind,
  attentionKinds,
  connectionKinds,
  isGivenBy,
  limits,
} from '@pult/contract';
import { compareVersions } from '../devices/index.ts';
import type { CountAt } from './attention.repository.ts';

export type Place = Omit<CountAt<unknown>, 'what'>;

/** Lost is what has been offline for so long: shorter absences come and go. */
const lostMinutes = 60;
const placesShown = 3;

/** The connections with agents that the server can update. */
const updatable = connectionKinds.filter((kind) => isGivenBy(kind, 'updates'));

/** The lists that are counted by controllers, as filters of the list and as the query that says the same. */
export const controllerFilters = {
  lost: { offline_minutes_min: lostMinutes },
  update_failed: { agent_update: ['returned', 'failed'] },
  agents: { connection_kind: updatable },
} as const;

const queries = {
  alert_offline: { state: 'firing', kind: 'offline' },
  alert_traffic_100: { state: 'firing', kind: 'traffic_100' },
  alert_traffic_80: { state: 'firing', kind: 'traffic_80' },
  lost: { offline_minutes_min: String(lostMinutes) },
  update_failed: { agent_update: 'returned,failed' },
  agent_outdated: { connection_kind: updatable.join(',') },
  never: { status: 'never' },
} as const satisfies Record<AttentionKind, Record<string, string>>;

/**
 * Those of the agents with a version before the server's, and what these are: as many versions as a filter of the list
 * names, the most frequent ones. A device may say anything of its version; what is none is left out.
 */
export function chooseOutdated(agents: readonly CountAt<string>[], current: string | undefined) {
  const counts = new Map<string, number>();
  for (const { what, count } of agents) {
    const isVersion = /^\d{1,9}(\.\d{1,9}){0,3}(-[\w.]+)?$/.test(what) && what.length <= limits.versionLength;
    if (current === undefined || !isVersion || compareVersions(what, current) >= 0) continue;
    counts.set(what, (counts.get(what) ?? 0) + count);
  }
  const versions = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, limits.versionsPerFilter)
    .map(([version]) => version)
    .sort(compareVersions);
  return { versions, places: agents.filter(({ what }) => versions.includes(what)) };
}

function addUp(places: readonly Place[]): Attention['places'] {
  const sums = new Map<string | null, Attention['places'][number]>();
  for (const { groupId, groupName, count } of places) {
    const group = groupId === null ? null : { id: groupId, name: groupName ?? '' };
    const sum = sums.get(groupId) ?? { group, count: 0 };
    sum.count += count;
    sums.set(groupId, sum);
  }
  return [...sums.values()].sort((one, other) => other.count - one.count);
}

/** The lines of what there is, the most urgent first. */
export function listAttention(
  places: Readonly<Partial<Record<AttentionKind, readonly Place[]>>>,
  { versions }: { versions: readonly string[] },
): Attention[] {
  return attentionKinds.flatMap((kind) => {
    const found = addUp(places[kind] ?? []);
    const count = found.reduce((sum, each) => sum + each.count, 0);
    if (count === 0) return [];
    const agents: Record<string, string> = kind === 'agent_outdated' ? { agent: versions.join(',') } : {};
    return {
      kind,
      count,
      list: kind.startsWith('alert_') ? ('alerts' as const) : ('controllers' as const),
      query: { ...queries[kind], ...agents },
      places: found.slice(0, placesShown),
    };
  });
}
