import { SegmentedControl, UnstyledButton } from '@mantine/core';
import { webhookDeliveryStates } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { useSearchOf } from '../../shared/search/use-search-of.ts';
import { DataTable } from '../../shared/ui/DataTable.tsx';
import { DeliveryDialog } from './DeliveryDialog.tsx';
import { deliveriesList } from './queries.ts';
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
  const list = useSearchOf(deliveriesList);
  const [opened, setOpened] = useState<string>();
  const query = useQuery(deliveriesList.query(webhook, list.search));
  return (
    <>
      <SegmentedControl
        className={classes.filter}
        aria-label={t('list.filter')}
        value={list.search.state ?? 'all'}
        data={[
          { value: 'all', label: t('list.all') },
          ...webhookDeliveryStates.map((state) => ({ value: state, label: t(`list.${state}`) })),
        ]}
        onChange={(value) => list.change({ state: webhookDeliveryStates.find((state) => state === value) })}
      />
      <DataTable
        className={classes.table}
        label={t('list.title')}
        query={query}
        outline={8}
        empty={{ title: t('list.empty'), hint: t('list.emptyHint') }}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'at',
            title: t('list.at'),
            isPlain: true,
            cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt, 'moment')}</time>,
          },
          {
            name: 'what',
            title: t('list.what'),
            isPlain: true,
            cell: ({ id, event, createdAt }) => (
              <UnstyledButton
                className={classes.open}
                aria-label={t('list.open', { event: labelOf(event), at: formatDate(createdAt, 'moment') })}
                onClick={() => setOpened(id)}
              >
                {labelOf(event)}
              </UnstyledButton>
            ),
          },
          {
            name: 'result',
            title: t('list.result'),
            isPlain: true,
            cell: (delivery) => <span data-state={delivery.state}>{describeResult(delivery)}</span>,
          },
          { name: 'tries', title: t('list.tries'), cell: ({ attempts }) => formatNumber(attempts) },
        ]}
      />
      <DeliveryDialog {...webhook} deliveryId={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}
