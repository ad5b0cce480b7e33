import { isAllowed, type Organization, type User } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { overallState } from '../../features/installation/problems.ts';
import { installationQuery } from '../../features/installation/queries.ts';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

/** How many alerts fire now. Pages outside an organization ask nothing of it: they show what was known last. */
export function useFiringAlerts(organization: Organization | undefined): number {
  const organizationId = organization?.id ?? '';
  const { organizationId: opened } = useParams({ strict: false });
  const query = { state: 'firing', page: 1, page_size: 1 } as const;
  const { data } = useQuery({
    queryKey: queryKeys.alerts.count(organizationId),
    queryFn: ({ signal }) => api('listAlerts', { params: { organizationId }, query, signal }),
    enabled:
      organization !== undefined &&
      opened === organizationId &&
      isAllowed(organization.userRole, 'alerts.read'),
    meta: { isBackground: true },
  });
  return data?.count ?? 0;
}

const fiveMinutes = 300_000;

/** Whether something of the server needs attention, for its administrators. */
export function useServerAttention(user: User | undefined): boolean {
  const isAdministrator = user?.isAdministrator === true;
  const { data } = useQuery({
    ...installationQuery,
    // A second factor would have to be confirmed: only the page itself asks for that.
    enabled: isAdministrator && user.totpEnabled === false,
    staleTime: fiveMinutes,
    refetchInterval: fiveMinutes,
    meta: { isBackground: true },
  });
  return isAdministrator && data !== undefined && ['warn', 'fail'].includes(overallState(data));
}
