import type { Group } from '@pult/contract';
import { useEffect, useState } from 'react';
import { readPreference, writePreference } from '../../shared/preferences/storage.ts';
import { pathTo } from './tree.ts';

/** Ids of one organization that are remembered: those opened last. */
const remembered = 500;

function read(storageName: string | undefined): ReadonlySet<string> {
  const stored = storageName === undefined ? null : readPreference(storageName);
  return new Set(stored?.split(',').filter(Boolean));
}

/**
 * Which groups are open. A group that comes to be chosen is brought in sight, by opening those above it.
 * `storageName`: where this browser keeps it; without one it lasts while mounted.
 */
export function useExpanded(
  groups: readonly Group[] | undefined,
  chosen: string | undefined,
  storageName?: string,
) {
  const [expanded, setExpanded] = useState(() => read(storageName));
  const change = (next: ReadonlySet<string>) => {
    if (storageName !== undefined) writePreference(storageName, [...next].slice(-remembered).join(','));
    setExpanded(next);
  };
  const toggle = (id: string, isExpanded: boolean) => {
    const next = new Set(expanded);
    if (isExpanded) next.add(id);
    else next.delete(id);
    change(next);
  };
  const isLoaded = groups !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each choice, or one could not close those above it
  useEffect(() => {
    if (chosen === undefined || groups === undefined) return;
    const above = pathTo(groups, chosen)
      .slice(0, -1)
      .map(({ id }) => id);
    if (above.some((id) => !expanded.has(id))) change(new Set([...expanded, ...above]));
  }, [chosen, isLoaded]);
  return { expanded, toggle };
}
