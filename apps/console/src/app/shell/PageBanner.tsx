import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { clearBanner, useBanner } from '../../shared/banner/banner.ts';
import { BannerBar } from './BannerBar.tsx';

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
