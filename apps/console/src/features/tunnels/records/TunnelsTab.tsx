import { SegmentedControl } from '@mantine/core';
import { isAllowed, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { IconLock } from '../../../shared/icons/IconLock.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { ListFooter } from '../../../shared/ui/ListFooter.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { tunnelsQuery, tunnelsSearch } from './queries.ts';
import { TunnelsTable } from './TunnelsTable.tsx';
import classes from './tunnels.module.css';

/** Who is connected to the organization's controllers now, and who was. */
export function TunnelsTab({ organization }: { organization: Organization }) {
  const { t } = useTranslation(['liveTunnels', 'shared']);
  const { search, change } = useSearchOf(tunnelsSearch, { isPart: true });
  const mayRead = isAllowed(organization.userRole, 'tunnels.open');
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...tunnelsQuery(organization.id, search),
    enabled: mayRead,
  });
  if (!mayRead) {
    return (
      <EmptyState icon={<IconLock size={32} stroke={1.5} />} title={t('membersOnly')}>
        {t('membersOnlyHint', { role: t(`role.${organization.userRole}`, { ns: 'shared' }) })}
      </EmptyState>
    );
  }
  const { state } = search;
  const content = () => {
    if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return <SkeletonRows rows={5} />;
    if (data.count === 0)
      return <EmptyState title={t(`empty.${state}`)}>{t(`emptyHint.${state}`)}</EmptyState>;
    return (
      <>
        <TunnelsTable
          organization={organization}
          tunnels={data.results}
          state={state}
          isStale={isPlaceholderData}
        />
        <ListFooter search={search} total={data.count} onChange={change} />
      </>
    );
  };
  return (
    <>
      <SegmentedControl
        className={classes.state ?? ''}
        aria-label={t('state')}
        value={state}
        onChange={(value) =>
          change({ ...tunnelsSearch.initial, state: value === 'ended' ? 'ended' : 'live' })
        }
        data={[
          { value: 'live', label: t('live') },
          { value: 'ended', label: t('ended') },
        ]}
      />
      {content()}
    </>
  );
}
