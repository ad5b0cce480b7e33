import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';

export function fleetOverviewQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.overview(organizationId),
    queryFn: ({ signal }) => api('getFleetOverview', { params: { organizationId }, signal }),
  });
}
