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
  action?: ReactNode;
  children: ReactNode;
}

/** A line across the top of the page. */
export function BannerBar({ tone, action, children }: BannerProps) {
  return (
    <div className={classes.banner} data-tone={tone} role="status">
      <div className={classes.text}>{children}</div>
      {action}
    </div>
  );
}
