import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { organizationCountQuery } from '../queries.ts';
import classes from './organizations.module.css';

/** How many controllers, and how many of them are online. Keeps its height while it loads, so that nothing jumps. */
export function CardFigures({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('organizations');
  const { formatNumber } = useFormat();
  const { data } = useQuery(organizationCountQuery(organizationId));
  return (
    <span className={classes.counts}>
      {data === undefined ? '\u00a0' : null}
      {data?.count === 0 ? t('noControllers') : null}
      {data && data.count > 0 ? (
        <>
          <span>{t('controllers', { count: data.count, formatted: formatNumber(data.count) })}</span>
          <span className={classes.online}>{t('online', { formatted: formatNumber(data.countOnline) })}</span>
        </>
      ) : null}
    </span>
  );
}
