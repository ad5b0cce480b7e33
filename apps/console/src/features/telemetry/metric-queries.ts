import type { SystemMetricName } from '@pult/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { readWindow, refreshes, type TimeSearch } from '../../shared/charts/time-search.ts';

/** One figure of a controller's system; goes on as often as the search says, and keeps what it has when it cannot. */
export function systemMetricsQuery(
  serialNumber: string,
  name: SystemMetricName,
  { range, refresh }: TimeSearch,
) {
  return queryOptions({
    queryKey: queryKeys.controllers.metricsOf(serialNumber, name, range),
    queryFn: async ({ signal }) => {
      const shown = readWindow(range);
      const body = {
        name,
        start: new Date(shown.start).toISOString(),
        stop: new Date(shown.stop).toISOString(),
      };
      const points = await api('querySystemMetrics', { params: { serialNumber }, body, signal });
      return {
        shown,
        series: {
          times: points.map(({ timestamp }) => Date.parse(timestamp)),
          values: [points.map(({ value }) => value)],
        },
      };
    },
    refetchInterval: refreshes[refresh] ?? false,
    staleTime: 30_000,
    // While another range loads the last one stays, but never that of another controller or figure.
    placeholderData: (previous, query) =>
      query?.queryKey[2] === serialNumber.toUpperCase() && query.queryKey[3] === name ? previous : undefined,
  });
}
