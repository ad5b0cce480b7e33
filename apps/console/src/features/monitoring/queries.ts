import { type SystemMetricName, systemMetricTable } from '@pult/contract/values';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { readWindow, refreshes, type TimeSearch, type TimeWindow } from '../../shared/charts/time-search.ts';

const asPeriod = ({ start, stop }: TimeWindow) => ({
  start: new Date(start).toISOString(),
  stop: new Date(stop).toISOString(),
});

/** How many were online, and of how many. */
export function fleetPresenceQuery(organizationId: string, { range, refresh }: TimeSearch) {
  return queryOptions({
    queryKey: queryKeys.controllers.fleetMetrics(organizationId, 'presence', range),
    queryFn: async ({ signal }) => {
      const shown = readWindow(range);
      const body = asPeriod(shown);
      const points = await api('queryFleetPresence', { params: { organizationId }, body, signal });
      const values = [points.map(({ online }) => online), points.map(({ total }) => total)];
      return { shown, series: { times: points.map(({ timestamp }) => Date.parse(timestamp)), values } };
    },
    refetchInterval: refreshes[refresh] ?? false,
    staleTime: 30_000,
    placeholderData: (previous, query) => (query?.queryKey[2] === organizationId ? previous : undefined),
  });
}

/** Median, worst and best of the fleet, in this order. */
export function fleetMetricsQuery(
  organizationId: string,
  name: SystemMetricName,
  { range, refresh }: TimeSearch,
) {
  return queryOptions({
    queryKey: queryKeys.controllers.fleetMetrics(organizationId, 'metric', name, range),
    queryFn: async ({ signal }) => {
      const shown = readWindow(range);
      const body = { name, ...asPeriod(shown) };
      const points = await api('queryFleetMetrics', { params: { organizationId }, body, signal });
      const [worst, best] = systemMetricTable[name].isWorstWhenLow
        ? (['lowest', 'highest'] as const)
        : (['highest', 'lowest'] as const);
      const values = (['median', worst, best] as const).map((key) => points.map((point) => point[key]));
      return { shown, series: { times: points.map(({ timestamp }) => Date.parse(timestamp)), values } };
    },
    refetchInterval: refreshes[refresh] ?? false,
    staleTime: 30_000,
    placeholderData: (previous, query) =>
      query?.queryKey[2] === organizationId && query.queryKey[4] === name ? previous : undefined,
  });
}

export function worstControllersQuery(
  organizationId: string,
  name: SystemMetricName,
  { refresh }: TimeSearch,
) {
  return queryOptions({
    queryKey: queryKeys.controllers.fleetMetrics(organizationId, 'worst', name),
    queryFn: ({ signal }) =>
      api('listWorstControllers', { params: { organizationId }, query: { name }, signal }),
    refetchInterval: refreshes[refresh] ?? false,
    staleTime: 30_000,
  });
}
