import type { Controller, OrganizationEvent } from '@pult/contract';
import { notifyManager, type Query, type QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys.ts';

interface List {
  results: Controller[];
}

function isList(data: unknown): data is List {
  return typeof data === 'object' && data !== null && 'results' in data && Array.isArray(data.results);
}

type StatusEvent = Extract<OrganizationEvent, { type: 'controller.status' }>;
type Statuses = ReadonlyMap<string, Omit<StatusEvent, 'type' | 'serialNumber'>>;

/** Writes changed statuses into every cached copy of the controllers, so that rows change in place. */
function patchStatuses(client: QueryClient, statuses: Statuses): void {
  const patch = <Row extends Controller>(row: Row): Row => {
    const status = statuses.get(row.serialNumber);
    return status ? { ...row, ...status } : row;
  };
  client.setQueriesData<Controller>({ queryKey: queryKeys.controllers.details }, (controller) =>
    controller && statuses.has(controller.serialNumber) ? patch(controller) : controller,
  );
  client.setQueriesData<unknown>({ queryKey: queryKeys.controllers.lists }, (data: unknown) => {
    if (!isList(data) || !data.results.some((row) => statuses.has(row.serialNumber))) return data;
    return { ...data, results: data.results.map(patch) };
  });
}

/** What of the cache has to be read anew; `all`, where nobody knows what has changed. */
export type Stale = 'all' | 'counts' | 'lists' | 'listsOfStatus' | 'total' | 'trees' | 'treesOfStatus';

function staleAfter(event: OrganizationEvent): readonly Stale[] {
  switch (event.type) {
    case 'controller.status':
      return ['counts', 'listsOfStatus', 'treesOfStatus'];
    case 'controller.updated':
      return ['lists'];
    // Rows show their group's name, and a filter by group may now match others.
    case 'group.changed':
      return ['counts', 'lists', 'trees'];
    case 'controller.activated':
    case 'controller.deleted':
      return ['counts', 'lists', 'total', 'trees'];
    default:
      return [];
  }
}

/** Whether a cached list may lose, gain or reorder rows by a changed status; rows themselves are changed in place. */
export function dependsOnStatus({ queryKey, state }: Query): boolean {
  const filters: unknown = queryKey[2];
  if (!isList(state.data) || typeof filters !== 'object' || filters === null) return true;
  const ordering = 'ordering' in filters ? String(filters.ordering) : '';
  return ('status' in filters && filters.status !== undefined) || /status|last_seen_at/.test(ordering);
}

/** Applies changes that arrived together, in one go and one render. */
export function applyChanges(client: QueryClient, changes: readonly OrganizationEvent[]): ReadonlySet<Stale> {
  const statuses = new Map<string, Omit<StatusEvent, 'type' | 'serialNumber'>>();
  const elsewhere = new Set<string>();
  const stale = new Set<Stale>();
  for (const event of changes) {
    if (event.type === 'controller.status') {
      const { type: _, serialNumber, ...status } = event;
      statuses.set(serialNumber, status);
    } else if ('serialNumber' in event) elsewhere.add(event.serialNumber);
    for (const name of staleAfter(event)) stale.add(name);
  }
  notifyManager.batch(() => {
    if (statuses.size > 0) patchStatuses(client, statuses);
    // Of a controller that is gone, the page that shows it learns so by asking again.
    for (const serialNumber of elsewhere) {
      void client.invalidateQueries({ queryKey: queryKeys.controllers.detail(serialNumber) });
    }
  });
  return stale;
}
