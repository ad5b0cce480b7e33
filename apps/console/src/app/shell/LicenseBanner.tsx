import { CloseButton } from '@mantine/core';
import { licenseNearShare } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { controllersTotalQuery, environmentsQuery } from '../../shared/api/queries.ts';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { BannerBar } from './PageBanner.tsx';

export function LicenseBanner() {
  const { t } = useTranslation(['banners', 'app']);
  const { formatNumber } = useFormat();
  const [isClosed, setIsClosed] = useState(false);
  const { data: environments } = useQuery(environmentsQuery);
  const limit = environments?.MAX_ACTIVATED_CONTROLLERS ?? 0;
  const { data: total } = useQuery({ ...controllersTotalQuery, enabled: limit > 0 });
  if (isClosed || !total || !isLicenseNear(total.count, limit)) return null;
  return (
    <BannerBar
      tone="warning"
      action={
        <CloseButton
          size="sm"
          aria-label={t('closeBanner', { ns: 'app' })}
          onClick={() => setIsClosed(true)}
        />
      }
    >
      {t('licenseNear', { used: formatNumber(total.count), limit: formatNumber(limit) })}
    </BannerBar>
  );
}

/** `limit` 0 means none. */
export function isLicenseNear(count: number, limit: number): boolean {
  return limit > 0 && count >= limit * licenseNearShare;
}
