import type { Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { organizationCountQuery } from '../queries.ts';
import classes from './organizations.module.css';

interface Props {
  organization: Organization;
}

export function OrganizationCard({ organization }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  const { formatNumber } = useFormat();
  const { data } = useQuery(organizationCountQuery(organization.id));
  return (
    <Link to={paths.controllers(organization.id)} className={classes.card}>
      <span className={classes.name}>{organization.name}</span>
      <span className={classes.role}>
        {t('yourRole', { role: t(`role.${organization.userRole}`, { ns: 'shared' }) })}
      </span>
      {/* Keeps its height while it loads, so that nothing jumps. */}
      <span className={classes.counts}>
        {data === undefined ? '\u00a0' : null}
        {data?.count === 0 ? t('noControllers') : null}
        {data && data.count > 0 ? (
          <>
            <span>{t('controllers', { count: data.count, formatted: formatNumber(data.count) })}</span>
            <span className={classes.online}>
              {t('online', { formatted: formatNumber(data.countOnline) })}
            </span>
          </>
        ) : null}
      </span>
    </Link>
  );
}
