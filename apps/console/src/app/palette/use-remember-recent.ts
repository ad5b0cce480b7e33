import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { rememberRecent } from './recent-controllers.ts';

/** Notes each controller whose page is opened. */
export function useRememberRecent(): void {
  const { organizationId, serialNumber } = useParams({ strict: false });
  const { data: user } = useQuery(currentUserQuery);
  const userId = user?.id;
  useEffect(() => {
    if (userId && organizationId && serialNumber) rememberRecent(userId, serialNumber.toUpperCase());
  }, [userId, organizationId, serialNumber]);
}
