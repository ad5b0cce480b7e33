import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { ListFooter } from '../../../shared/ui/ListFooter.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditTable } from './AuditTable.tsx';
import { type AuditSearch, auditSearch, isPeriodReversed } from './audit-search.ts';
import { auditQuery } from './queries.ts';

interface Props {
  organizationId: string;
  search: AuditSearch;
  onChange: (changes: Partial<AuditSearch>) => void;
}

export function AuditLog({ organizationId, search, onChange }: Props) {
  const { t } = useTranslation('audit');
  // A period without a moment in it is told at its field.
  const enabled = !isPeriodReversed(search);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...auditQuery(organizationId, search),
    enabled,
  });

  const content = () => {
    if (!enabled && !data) return null;
    if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return <SkeletonRows rows={12} />;
    if (data.results.length > 0) {
      return (
        <>
          <AuditTable organizationId={organizationId} events={data.results} isStale={isPlaceholderData} />
          <ListFooter search={search} total={data.count} onChange={onChange} />
        </>
      );
    }
    if (!auditSearch.isFiltered(search) && search.page === 1) {
      return <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>;
    }
    return (
      <EmptyState
        title={t('noMatch')}
        action={
          <Button variant="default" onClick={() => onChange(auditSearch.initial)}>
            {t('clear')}
          </Button>
        }
      >
        {t('noMatchHint')}
      </EmptyState>
    );
  };
  return (
    <>
      <AuditFilters search={search} onChange={onChange} />
      {content()}
    </>
  );
}
