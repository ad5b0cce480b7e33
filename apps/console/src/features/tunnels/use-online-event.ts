import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useOrganizationEvents } from '../../shared/events/use-organization-events.ts';
import { controllerQuery } from '../controllers/index.ts';

/**
 * Calls back when the cache learns, by the event stream or by anything else, that the controller has come online
 * while one waits for it.
 */
export function useOnlineEvent(serialNumber: string, isWaiting: boolean, onOnline: () => void): void {
  const { data } = useQuery({ ...controllerQuery(serialNumber), enabled: false });
  useOrganizationEvents(data?.organization.id); // this page has no shell around it
  const isOnline = data?.status === 'online';
  const wasOnline = useRef(isOnline);
  useEffect(() => {
    if (isWaiting && isOnline && !wasOnline.current) onOnline();
    wasOnline.current = isOnline;
  }, [isOnline, isWaiting, onOnline]);
}
