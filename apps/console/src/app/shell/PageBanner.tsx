import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { clearBanner, useBanner } from '../../shared/banner/banner.ts';
import classes from './banner.module.css';

/** The closable banner: why the user has been sent to this page. */
export function PageBanner() {
  const { t } = useTranslation('app');
  const banner = useBanner();
  if (!banner) return null;
  return (
    <BannerBar
      tone="info"
      action={<CloseButton size="sm" aria-label={t('closeBanner')} onClick={clearBanner} />}
    >
      {banner.text}
    </BannerBar>
  );
}

interface BannerProps {
  tone: 'info' | 'warning';
  /** In sight however far the page is scrolled. */
  sticks?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

/** A line across the top of the page. */
export function BannerBar({ tone, sticks = false, action, children }: BannerProps) {
  return (
    <div className={classes.banner} data-tone={tone} data-sticks={sticks || undefined} role="status">
      <div className={classes.text}>{children}</div>
      {action}
    </div>
  );
}
