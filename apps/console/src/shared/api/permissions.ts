import { isAllowed, type Permission } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { organizationQuery } from './queries.ts';

/** Whether the user's role in the organization allows it; not yet known counts as no. */
export function useIsAllowed(organizationId: string, permission: Permission): boolean {
  const { data } = useQuery({ ...organizationQuery(organizationId), enabled: organizationId !== '' });
  return data !== undefined && isAllowed(data.userRole, permission);
}
