import type { Controller, ControllersMap, LastMqttData, MapFeature, OrganizationEvent } from '@pult/contract';
import { notifyManager, type Query, type QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys.ts';
import { readAnew, readLateAnswersAgain } from './read-anew.ts';

interface List {
  results: Controller[];
}

function isList(data: unknown): data is List {
  return typeof data === 'object' && data !== null && 'results' in data && Array.isArray(data.results);
}

/** Single controllers on a map change their colour at once; of clusters only the server knows the counts. */
function isMap(data: unknown): data is Pick<ControllersMap, 'features'> {
  return typeof data === 'object' && data !== null && 'features' in data && Array.isArray(data.features);
}

function patchMarkers(map: Pick<ControllersMap, 'features'>, statuses: Statuses): typeof map {
  const isMeant = (feature: MapFeature) =>
    feature.type === 'controller' && statuses.has(feature.serialNumber);
  if (!map.features.some(isMeant)) return map;
  const features = map.features.map((feature) => {
    const change = feature.type === 'controller' ? statuses.get(feature.serialNumber) : undefined;
    return change && feature.type === 'controller' ? { ...feature, status: change.status } : feature;
  });
  return { ...map, features };
}

type StatusEvent = Extract<OrganizationEvent, { type: 'controller.status' }>;
type Statuses = ReadonlyMap<string, Omit<StatusEvent, 'type' | 'serialNumber'>>;

/** Writes changed statuses into every cached copy of the controllers, so that rows change in place. */
function patchStatuses(client: QueryClient, statuses: Statuses): void {
  const patch = <Row extends Controller>(row: Row): Row => {
    const status = statuses.get(row.serialNumber);
    const detachedAt = status?.statusReason === 'detached' ? status.statusSince : null;
    return status ? { ...row, ...status, detachedAt } : row;
  };
  client.setQueriesData<Controller>({ queryKey: queryKeys.controllers.details }, (controller) =>
    controller && statuses.has(controller.serialNumber) ? patch(controller) : controller,
  );
  client.setQueriesData<unknown>({ queryKey: queryKeys.controllers.lists }, (data: unknown) => {
    if (isMap(data)) return patchMarkers(data, statuses);
    if (!isList(data) || !data.results.some((row) => statuses.has(row.serialNumber))) return data;
    return { ...data, results: data.results.map(patch) };
  });
}

/** What of the cache has to be read anew; `all`, where nobody knows what has changed. */
export type Stale =
  | 'all'
  | 'counts'
  | 'details'
  | 'lists'
  | 'listsOfStatus'
  | 'alerts'
  | 'total'
  | 'trees'
  | 'treesOfStatus'
  | 'webhooks';

function staleAfter(event: OrganizationEvent): readonly Stale[] {
  switch (event.type) {
    case 'controller.status':
      return ['counts', 'listsOfStatus', 'treesOfStatus'];
    // An update may have been one of its group.
    case 'controller.updated':
      return ['counts', 'lists', 'trees'];
    // Rows and views show their group's name, and a filter by group may now match others.
    case 'group.changed':
      return ['counts', 'details', 'lists', 'trees'];
    case 'alerts.changed':
      return ['alerts'];
    case 'webhooks.changed':
      return ['webhooks'];
    case 'controller.activated':
    case 'controller.deleted':
      return ['counts', 'lists', 'total', 'trees'];
    default:
      return [];
  }
}

type ChangeEvent = Extract<
  OrganizationEvent,
  { type: 'controller.updated' | 'controller.activated' | 'controller.deleted' }
>;

function changesController(event: OrganizationEvent): event is ChangeEvent {
  return (
    event.type === 'controller.updated' ||
    event.type === 'controller.activated' ||
    event.type === 'controller.deleted'
  );
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
  const diagnosed = new Set<string>();
  const values: ValuesEvent[] = [];
  const stale = new Set<Stale>();
  for (const event of changes) {
    if (event.type === 'controller.status') {
      const { type: _, serialNumber, ...status } = event;
      statuses.set(serialNumber, status);
    } else if (changesController(event)) elsewhere.add(event.serialNumber);
    else if (event.type === 'diagnostic.status') diagnosed.add(event.serialNumber);
    else if (event.type === 'controller.values') values.push(event);
    for (const name of staleAfter(event)) stale.add(name);
  }
  notifyManager.batch(() => {
    if (statuses.size > 0) patchStatuses(client, statuses);
    // What is being read may have been read before: the answer would bring the old status back.
    for (const serialNumber of statuses.keys()) {
      void readLateAnswersAgain(client, { queryKey: queryKeys.controllers.detail(serialNumber) });
    }
    const lists = { queryKey: queryKeys.controllers.lists, fetchStatus: 'fetching' } as const;
    if (statuses.size > 0 && client.isFetching(lists) > 0) stale.add('lists');
    for (const event of values) patchValues(client, event);
    // Of a controller that is gone, the page that shows it learns so by asking again.
    for (const serialNumber of elsewhere) {
      void readAnew(client, { queryKey: queryKeys.controllers.detail(serialNumber) });
      void readAnew(client, { queryKey: queryKeys.controllers.endpointsOf(serialNumber) });
      void readAnew(client, { queryKey: queryKeys.controllers.agentUpdateOf(serialNumber) });
    }
    // Only the page that shows them asks again, and it is told of a step every two seconds at most.
    for (const serialNumber of diagnosed) {
      void readAnew(client, { queryKey: queryKeys.controllers.diagnosticsOf(serialNumber) });
    }
  });
  return stale;
}

type ValuesEvent = Extract<OrganizationEvent, { type: 'controller.values' }>;

function patch(data: LastMqttData, { receivedAt, controls }: ValuesEvent): LastMqttData {
  const changes = new Map(controls.map((each) => [`${each.device}\n${each.control}`, each]));
  const devices = data.devices.map((device) => {
    if (!device.controls.some(({ id }) => changes.has(`${device.id}\n${id}`))) return device;
    const patched = device.controls.map((control) => {
      const change = changes.get(`${device.id}\n${control.id}`);
      return change ? { ...control, value: change.value, updatedAt: change.updatedAt } : control;
    });
    return { ...device, controls: patched };
  });
  return { receivedAt, devices };
}

/** Writes changed values into the cached ones of their controller; what was not told is read anew. */
function patchValues(client: QueryClient, event: ValuesEvent): void {
  const queryKey = queryKeys.controllers.valuesOf(event.serialNumber);
  client.setQueryData<LastMqttData>(queryKey, (data) => data && patch(data, event));
  if (event.isPartial) void readAnew(client, { queryKey });
  else void readLateAnswersAgain(client, { queryKey });
}
