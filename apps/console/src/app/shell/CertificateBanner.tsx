import { CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserQuery, endingCertificatesQuery, organizationsQuery } from '../../shared/api/queries.ts';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { paths } from '../../shared/paths.ts';
import { BannerBar } from './PageBanner.tsx';

/** Says in time which certificates of the server end, to those who may do something about it. */
export function CertificateBanner() {
  const { t } = useTranslation(['banners', 'app']);
  const { formatDate } = useFormat();
  const [isClosed, setIsClosed] = useState(false);
  const { data: user } = useQuery(currentUserQuery);
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const isAdministrator = user?.isAdministrator === true;
  // Others are told of none.
  const mayKnow = isAdministrator || organizations.some(({ userRole }) => userRole === 'owner');
  const { data: ending } = useQuery({ ...endingCertificatesQuery, enabled: mayKnow });
  if (isClosed || !mayKnow || !ending || ending.results.length === 0) return null;
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
      {ending.results.map(({ name, validUntil }) => (
        <span key={name}>{t(`certificateEnds.${name}`, { date: formatDate(validUntil, 'date') })} </span>
      ))}
      {isAdministrator ? (
        <Link to={paths.installation()}>{t('certificateEnds.more')}</Link>
      ) : (
        t('certificateEnds.tell')
      )}
    </BannerBar>
  );
}
