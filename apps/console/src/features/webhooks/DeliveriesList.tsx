import { Button, SegmentedControl, UnstyledButton } from '@mantine/core';
import { webhookDeliveryStates } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { useSearchOf } from '../../shared/search/use-search-of.ts';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../shared/ui/ErrorState.tsx';
import { FoldingTable } from '../../shared/ui/FoldingTable.tsx';
import { ListFooter } from '../../shared/ui/ListFooter.tsx';
import { SkeletonRows } from '../../shared/ui/SkeletonRows.tsx';
import { DeliveryDialog } from './DeliveryDialog.tsx';
import { deliveriesSearch } from './deliveries-search.ts';
import { deliveriesQuery } from './queries.ts';
import { useEventLabel } from './use-event-label.ts';
import { useResultText } from './use-result-text.ts';
import classes from './webhooks.module.css';

interface Props {
  organizationId: string;
  webhookId: string;
}

export function DeliveriesList(webhook: Props) {
  const { t } = useTranslation('webhooks');
  const { formatDate, formatNumber } = useFormat();
  const labelOf = useEventLabel();
  const describeResult = useResultText();
  const { search, change } = useSearchOf(deliveriesSearch);
  const [opened, setOpened] = useState<string>();
  const { data, error, refetch, isPlaceholderData } = useQuery(deliveriesQuery(webhook, search));

  const content = () => {
    if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return <SkeletonRows rows={8} />;
    if (data.results.length === 0) {
      if (!deliveriesSearch.isFiltered(search) && search.page === 1) {
        return <EmptyState title={t('list.empty')}>{t('list.emptyHint')}</EmptyState>;
      }
      return (
        <EmptyState
          title={t('list.noMatch')}
          action={
            <Button variant="default" onClick={() => change(deliveriesSearch.initial)}>
              {t('list.clear')}
            </Button>
          }
        />
      );
    }
    return (
      <>
        <FoldingTable className={classes.table} label={t('list.title')} isStale={isPlaceholderData}>
          <thead>
            <tr>
              <th>{t('list.at')}</th>
              <th>{t('list.what')}</th>
              <th>{t('list.result')}</th>
              <th>{t('list.tries')}</th>
            </tr>
          </thead>
          <tbody>
            {data.results.map((delivery) => {
              const { id, createdAt, event, state, attempts } = delivery;
              const at = formatDate(createdAt, 'moment');
              return (
                <tr key={id}>
                  <td data-column="at">
                    <time dateTime={createdAt}>{at}</time>
                  </td>
                  <td>
                    <UnstyledButton
                      className={classes.open}
                      aria-label={t('list.open', { event: labelOf(event), at })}
                      onClick={() => setOpened(id)}
                    >
                      {labelOf(event)}
                    </UnstyledButton>
                  </td>
                  <td>
                    <span data-state={state}>{describeResult(delivery)}</span>
                  </td>
                  <td data-label={t('list.tries')}>{formatNumber(attempts)}</td>
                </tr>
              );
            })}
          </tbody>
        </FoldingTable>
        <ListFooter search={search} total={data.count} onChange={change} />
      </>
    );
  };
  return (
    <>
      <SegmentedControl
        className={classes.filter}
        aria-label={t('list.filter')}
        value={search.state ?? 'all'}
        data={[
          { value: 'all', label: t('list.all') },
          ...webhookDeliveryStates.map((state) => ({ value: state, label: t(`list.${state}`) })),
        ]}
        onChange={(value) => change({ state: webhookDeliveryStates.find((state) => state === value) })}
      />
      {content()}
      <DeliveryDialog {...webhook} deliveryId={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}
