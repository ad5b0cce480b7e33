import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { ListFooter } from '../../../shared/ui/ListFooter.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { SearchField } from '../../../shared/ui/SearchField.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { ColumnMenu } from '../components/ColumnMenu.tsx';
import { ControllerCards } from '../components/ControllerCards.tsx';
import { ControllersTable } from '../components/ControllersTable.tsx';
import classes from '../components/list-toolbar.module.css';
import { NoControllers } from '../components/NoControllers.tsx';
import { StatusFilter } from '../components/StatusFilter.tsx';
import { useHiddenColumns } from '../components/use-hidden-columns.ts';
import { countQuery, listQuery } from '../list-search.ts';
import { controllersCountQuery, controllersQuery } from '../queries.ts';
import { useListSearch } from '../use-list-search.ts';

export function ControllersPage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('controllers');
  const { search, change } = useListSearch();
  const { hidden, toggle } = useHiddenColumns();
  const isNarrow = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  const list = useQuery(controllersQuery(listQuery(organizationId, search)));
  const counts = useQuery(controllersCountQuery(countQuery(organizationId, search)));

  const isFiltered = search.search !== '' || search.status !== undefined;
  const isEmpty = list.data?.count === 0 && !isFiltered;

  const content = () => {
    if (list.error && !list.data) {
      return (
        <ErrorState title={t('list.loadFailed')} error={list.error} onRetry={() => void list.refetch()} />
      );
    }
    if (!list.data) return <SkeletonRows rows={12} />;
    if (isEmpty) return <NoControllers />;
    if (list.data.count === 0) {
      return (
        <EmptyState
          title={t('noMatch.title')}
          action={
            <Button variant="default" onClick={() => change({ search: '', status: undefined })}>
              {t('noMatch.clear')}
            </Button>
          }
        >
          {t('noMatch.text')}
        </EmptyState>
      );
    }
    const rows = { controllers: list.data.results, isStale: list.isPlaceholderData };
    return (
      <>
        {isNarrow ? (
          <ControllerCards {...rows} />
        ) : (
          <ControllersTable
            {...rows}
            hidden={hidden}
            order={search.order}
            onOrder={(order) => change({ order })}
          />
        )}
        <ListFooter search={search} total={list.data.count} onChange={change} />
      </>
    );
  };

  return (
    <Page
      title={t('list.title')}
      width="full"
      actions={
        !isEmpty && (
          <Button component={Link} to={paths.addController()} leftSection={<IconPlus size={16} />}>
            {t('list.add')}
          </Button>
        )
      }
    >
      {!isEmpty && (
        <div className={classes.toolbar}>
          <SearchField
            label={t('list.search')}
            placeholder={t('list.searchShort')}
            value={search.search}
            onChange={(text) => change({ search: text })}
          />
          <StatusFilter
            value={search.status}
            onChange={(status) => change({ status })}
            counts={counts.data}
          />
          {!isNarrow && (
            <div className={classes.end}>
              <ColumnMenu hidden={hidden} onToggle={toggle} />
            </div>
          )}
        </div>
      )}
      {content()}
    </Page>
  );
}
