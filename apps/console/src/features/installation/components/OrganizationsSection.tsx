import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { ListFooter } from '../../../shared/ui/ListFooter.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { installationSearch } from '../installation-search.ts';
import { installationOrganizationsQuery } from '../queries.ts';
import classes from './installation.module.css';

/** All organizations with what they have; their pages belong to their members. */
export function OrganizationsSection() {
  const { t } = useTranslation('installation');
  const { formatBytes, formatDate, formatNumber } = useFormat();
  const { search, change } = useSearchOf(installationSearch, { isPart: true });
  const { data, error, refetch, isPlaceholderData } = useQuery(installationOrganizationsQuery(search));
  const content = () => {
    if (error && !data)
      return <ErrorState title={t('organizations.failed')} error={error} onRetry={() => void refetch()} />;
    if (!data) return <SkeletonRows rows={4} />;
    if (data.count === 0) return <EmptyState title={t('organizations.empty')} />;
    return (
      <>
        <FoldingTable label={t('organizations.title')} className={classes.table} isStale={isPlaceholderData}>
          <thead>
            <tr>
              <th>{t('organizations.name')}</th>
              <th data-column="figure">{t('organizations.controllers')}</th>
              <th data-column="figure">{t('organizations.members')}</th>
              <th data-column="figure">{t('organizations.withoutTotp')}</th>
              <th data-column="figure">{t('organizations.archives')}</th>
              <th data-column="figure">{t('organizations.measurements')}</th>
              <th data-column="figure">{t('organizations.created')}</th>
            </tr>
          </thead>
          <tbody>
            {data.results.map((row) => (
              <tr key={row.id}>
                <th scope="row">{row.name}</th>
                <td data-column="figure" data-label={t('organizations.controllers')}>
                  {formatNumber(row.controllers)}
                </td>
                <td data-column="figure" data-label={t('organizations.members')}>
                  {formatNumber(row.members)}
                </td>
                <td data-column="figure" data-label={t('organizations.withoutTotp')}>
                  {formatNumber(row.membersWithoutTotp)}
                </td>
                <td data-column="figure" data-label={t('organizations.archives')}>
                  {formatBytes(row.archiveBytes)}
                </td>
                <td data-column="figure" data-label={t('organizations.measurements')}>
                  {row.measurementBytes === null
                    ? t('organizations.unmeasured')
                    : formatBytes(row.measurementBytes)}
                </td>
                <td data-column="figure" data-label={t('organizations.created')}>
                  {formatDate(row.createdAt, 'date')}
                </td>
              </tr>
            ))}
          </tbody>
        </FoldingTable>
        <ListFooter search={search} total={data.count} onChange={change} />
      </>
    );
  };
  return (
    <section className={classes.organizations} aria-label={t('organizations.title')}>
      <Title order={2} size="h3">
        {t('organizations.title')}
      </Title>
      {content()}
    </section>
  );
}
