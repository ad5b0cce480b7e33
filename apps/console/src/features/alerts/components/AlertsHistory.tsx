import { Button, SegmentedControl } from '@mantine/core';
import { alertStates } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { ListFooter } from '../../../shared/ui/ListFooter.tsx';
import { SearchField } from '../../../shared/ui/SearchField.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { GroupNames } from '../../controllers/index.ts';
import { alertsSearch } from '../alerts-search.ts';
import { alertsQuery } from '../queries.ts';
import { AlertsTable } from './AlertsTable.tsx';
import classes from './alerts.module.css';

interface Props {
  organizationId: string;
  /** What stands above has no height yet: it is asked for, and not shown. */
  isAwaited: boolean;
}

/** The alerts that have fired, with a filter. */
export function AlertsHistory({ organizationId, isAwaited }: Props) {
  const { t } = useTranslation('alerts');
  const { search, change } = useSearchOf(alertsSearch, { isPart: true });
  const { data, error, refetch, isPlaceholderData } = useQuery(alertsQuery(organizationId, search));

  if (isAwaited) return null;
  const content = () => {
    if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return <SkeletonRows rows={8} />;
    if (data.results.length > 0) {
      return (
        <>
          <GroupNames filters={{ organization_id: organizationId }}>
            <AlertsTable organizationId={organizationId} alerts={data.results} isStale={isPlaceholderData} />
          </GroupNames>
          <ListFooter search={search} total={data.count} onChange={change} />
        </>
      );
    }
    if (!alertsSearch.isFiltered(search) && search.page === 1) {
      return <EmptyState title={t('history.empty')}>{t('history.emptyHint')}</EmptyState>;
    }
    return (
      <EmptyState
        title={t('history.noMatch')}
        action={
          <Button variant="default" onClick={() => change(alertsSearch.initial)}>
            {t('history.clear')}
          </Button>
        }
      >
        {t('history.noMatchHint')}
      </EmptyState>
    );
  };
  return (
    <section aria-label={t('history.title')} className={classes.part}>
      <h2 className={classes.title}>{t('history.title')}</h2>
      <div className={classes.filters}>
        <SegmentedControl
          aria-label={t('history.filter')}
          value={search.state ?? 'all'}
          data={[
            { value: 'all', label: t('history.all') },
            ...alertStates.map((state) => ({ value: state, label: t(`history.${state}`) })),
          ]}
          onChange={(value) => change({ state: alertStates.find((state) => state === value) })}
        />
        <SearchField
          label={t('history.search')}
          value={search.serialNumber}
          onChange={(serialNumber) => change({ serialNumber })}
        />
      </div>
      {content()}
    </section>
  );
}
