import type { StatusCounts } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { StatusDot } from '../../controllers/index.ts';
import classes from './overview.module.css';

interface Props {
  organizationId: string;
  counts: StatusCounts;
}

/** The whole fleet in one line. */
export function StatusLine({ organizationId, counts }: Props) {
  const { t } = useTranslation('overview');
  const { formatNumber } = useFormat();
  const statuses = [
    { status: 'online', count: counts.countOnline },
    { status: 'offline', count: counts.countOffline },
    { status: 'never', count: counts.countNever },
  ] as const;
  return (
    <ul className={classes.statuses}>
      <li>
        <Link to={paths.controllers(organizationId)} className={classes.status}>
          <b>{t('all', { count: counts.count, formatted: formatNumber(counts.count) })}</b>
        </Link>
      </li>
      {statuses.map(({ status, count }) => (
        <li key={status}>
          <Link to={paths.controllers(organizationId)} search={{ status }} className={classes.status}>
            <StatusDot status={status} />
            {t(status, { formatted: formatNumber(count) })}
          </Link>
        </li>
      ))}
    </ul>
  );
}
