import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

/** Connections and the audit log have no events: what is looked at is read again so often. */
const interval = 30_000;

export function overviewQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.overview(organizationId),
    queryFn: ({ signal }) => api('getOverview', { params: { organizationId }, signal }),
    refetchInterval: interval,
  });
}
