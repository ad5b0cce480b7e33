import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { controllerQuery, controllersCountQuery } from './queries.ts';

/**
 * A controller, looked at again when its organization has fewer controllers than a moment ago: it may be the one
 * that somebody else has deleted. Events tell the change of the count, not of a controller that is gone.
 */
export function useWatchedController(organizationId: string, serialNumber: string, enabled: boolean) {
  const query = useQuery({ ...controllerQuery(serialNumber), enabled });
  const { data } = useQuery({ ...controllersCountQuery({ organization_id: organizationId }), enabled });
  const count = data?.count;
  const known = useRef(count);
  const { refetch } = query;
  useEffect(() => {
    const before = known.current;
    known.current = count;
    if (enabled && before !== undefined && count !== undefined && count < before) void refetch();
  }, [count, enabled, refetch]);
  return query;
}
