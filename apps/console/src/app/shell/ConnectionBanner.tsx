import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client.ts';
import { useIsReachable } from '../../shared/api/connection.ts';
import { BannerBar } from './PageBanner.tsx';

const probeInterval = 1500;

interface Props {
  /** The page has a stream of events, which breaks as soon as the server is away. */
  isStreaming: boolean;
}

/**
 * Says within 2 s that the server does not answer, asks until it does, and then reads anew what is on the page. A page
 * without a stream that would tell asks all the time that it is looked at.
 */
export function ConnectionBanner({ isStreaming }: Props) {
  const { t } = useTranslation('app');
  const client = useQueryClient();
  const isReachable = useIsReachable();
  useEffect(() => {
    // Whether it is answered is noted by the client itself.
    const probe = () => void api('getEnvironments').catch(() => undefined);
    const probeIfSeen = () => document.visibilityState === 'visible' && probe();
    const timer = isReachable && isStreaming ? undefined : setInterval(probeIfSeen, probeInterval);
    window.addEventListener('offline', probe);
    return () => {
      clearInterval(timer);
      window.removeEventListener('offline', probe);
    };
  }, [isReachable, isStreaming]);
  useEffect(() => {
    if (isReachable) return;
    return () => void client.invalidateQueries();
  }, [client, isReachable]);
  if (isReachable) return null;
  return (
    <BannerBar tone="warning" sticks>
      {t('connectionLost')}
    </BannerBar>
  );
}
