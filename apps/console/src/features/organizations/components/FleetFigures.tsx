import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { organizationCountQuery } from '../queries.ts';
import classes from './organizations.module.css';

interface Props {
  organizationId: string;
}

/** How many controllers there are in each status; each number opens the list of those. */
export function FleetFigures({ organizationId }: Props) {
  const { t } = useTranslation('organizations');
  const { formatNumber } = useFormat();
  const { data, error, refetch } = useQuery(organizationCountQuery(organizationId));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data?.count === 0) {
    return (
      <EmptyState
        title={t('overview.empty')}
        action={
          <Button component={Link} to={paths.addController()}>
            {t('overview.add')}
          </Button>
        }
      >
        {t('overview.emptyHint')}
      </EmptyState>
    );
  }
  const figures = [
    { label: t('overview.total'), value: data?.count, search: {} },
    { label: t('overview.online'), value: data?.countOnline, search: { status: 'online' } },
    { label: t('overview.offline'), value: data?.countOffline, search: { status: 'offline' } },
  ];
  return (
    <Section
      title={t('overview.fleet')}
      actions={
        <Button component={Link} to={paths.controllers(organizationId)} variant="default" size="xs">
          {t('overview.openList')}
        </Button>
      }
    >
      <ul className={classes.figures}>
        {figures.map(({ label, value, search }) => (
          <li key={label}>
            <Link to={paths.controllers(organizationId)} search={search} className={classes.figure}>
              <span>{label}</span>
              <strong>{value === undefined ? '\u2013' : formatNumber(value)}</strong>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
