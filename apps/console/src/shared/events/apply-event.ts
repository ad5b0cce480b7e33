import type { Controller, OrganizationEvent } from '@pult/contract';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys.ts';

interface List {
  results: Controller[];
}

function isList(data: unknown): data is List {
  return typeof data === 'object' && data !== null && 'results' in data && Array.isArray(data.results);
}

/** Writes a changed status into every cached copy of the controller, so that rows change in place. */
function patchStatus(
  client: QueryClient,
  event: Extract<OrganizationEvent, { type: 'controller.status' }>,
): void {
  const { type: _, serialNumber, ...status } = event;
  client.setQueryData<Controller>(queryKeys.controllers.detail(serialNumber), (controller) =>
    controller ? { ...controller, ...status } : undefined,
  );
  client.setQueriesData<unknown>({ queryKey: queryKeys.controllers.lists }, (data: unknown) => {
    if (!isList(data) || !data.results.some((row) => row.serialNumber === serialNumber)) return data;
    const results = data.results.map((row) =>
      row.serialNumber === serialNumber ? { ...row, ...status } : row,
    );
    return { ...data, results };
  });
}

/** What of the cache has to be read anew after the event. */
export type Stale = 'counts' | 'lists' | 'total' | 'trees' | 'treesOfStatus';

export function applyEvent(client: QueryClient, event: OrganizationEvent): Stale[] {
  if (event.type === 'controller.status') {
    patchStatus(client, event);
    // A status filter or order may now leave the row out or elsewhere; that can wait for the throttle.
    return ['counts', 'lists', 'treesOfStatus'];
  }
  // Rows show their group's name, and a filter by group may now match others.
  if (event.type === 'group.changed') return ['counts', 'lists', 'trees'];
  // Of a controller that is gone, the page that shows it learns so by asking again.
  void client.invalidateQueries({ queryKey: queryKeys.controllers.detail(event.serialNumber) });
  return event.type === 'controller.updated' ? ['lists'] : ['counts', 'lists', 'total', 'trees'];
}
