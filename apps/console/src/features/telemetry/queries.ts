import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

/** The server tells of changes for 90 s after each reading. */
const readEvery = 60_000;

/** The last values of a controller's MQTT controls; between two readings events change them in the cache. */
export function lastValuesQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.valuesOf(serialNumber),
    queryFn: ({ signal }) => api('getLastMqttData', { params: { serialNumber }, signal }),
    refetchInterval: readEvery,
    // The server asks the reading anew whoever comes back to the page.
    staleTime: 0,
  });
}
