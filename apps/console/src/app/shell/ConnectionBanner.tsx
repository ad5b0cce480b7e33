import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client.ts';
import { useIsReachable } from '../../shared/api/connection.ts';
import { BannerBar } from './PageBanner.tsx';

const probeInterval = 1500;
/** A page that nobody has used for so long asks less often. */
const idleAfter = 60_000;
const idleInterval = 30_000;
const signsOfUse = ['pointermove', 'pointerdown', 'keydown', 'focus'] as const;

interface Props {
  /** The page has a stream of events, which breaks as soon as the server is away. */
  isStreaming: boolean;
}

/**
 * Says within 2 s that the server does not answer, asks until it does, and then reads anew what is on the page. A page
 * without a stream that would tell asks all the time that it is looked at: seldom where nobody has used it for a minute.
 */
export function ConnectionBanner({ isStreaming }: Props) {
  const { t } = useTranslation('app');
  const client = useQueryClient();
  const isReachable = useIsReachable();
  const usedAt = useLastUse();
  const probedAt = useRef(0);
  useEffect(() => {
    // Whether it is answered is noted by the client itself.
    const probe = () => {
      probedAt.current = Date.now();
      void api('getEnvironments').catch(() => undefined);
    };
    const probeIfDue = () => {
      const now = Date.now();
      const isIdle = !isStreaming && now - usedAt.current > idleAfter;
      if (isIdle && now - probedAt.current < idleInterval) return;
      if (document.visibilityState === 'visible') probe();
    };
    const timer = isReachable && isStreaming ? undefined : setInterval(probeIfDue, probeInterval);
    window.addEventListener('offline', probe);
    return () => {
      clearInterval(timer);
      window.removeEventListener('offline', probe);
    };
  }, [isReachable, isStreaming, usedAt]);
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

/** When the page was last used, by Date.now; opening it is a use. */
function useLastUse(): RefObject<number> {
  const usedAt = useRef(0);
  useEffect(() => {
    const note = () => {
      usedAt.current = Date.now();
    };
    note();
    const options = { capture: true, passive: true };
    for (const sign of signsOfUse) window.addEventListener(sign, note, options);
    document.addEventListener('visibilitychange', note);
    return () => {
      for (const sign of signsOfUse) window.removeEventListener(sign, note, options);
      document.removeEventListener('visibilitychange', note);
    };
  }, []);
  return usedAt;
}
