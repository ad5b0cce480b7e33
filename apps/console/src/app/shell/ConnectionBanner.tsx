import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client.ts';
import { useIsReachable } from '../../shared/api/connection.ts';
import { BannerBar } from './PageBanner.tsx';

const probeInterval = 3000;

/** Says that the server does not answer, asks until it does, and then reads anew what is on the page. */
export function ConnectionBanner() {
  const { t } = useTranslation('app');
  const client = useQueryClient();
  const isReachable = useIsReachable();
  useEffect(() => {
    if (isReachable) return;
    const timer = setInterval(() => {
      // A failure keeps the banner; it needs no other answer.
      api('getEnvironments').catch(() => undefined);
    }, probeInterval);
    return () => {
      clearInterval(timer);
      void client.invalidateQueries();
    };
  }, [client, isReachable]);
  return isReachable ? null : <BannerBar tone="warning">{t('connectionLost')}</BannerBar>;
}
