import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { WholeWebhookDelivery } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';
import { LabelledCopy } from '../../shared/ui/CopyText.tsx';
import { QueryState } from '../../shared/ui/QueryState.tsx';
import { deliveryQuery, useRepeatDelivery } from './queries.ts';
import { useEventLabel } from './use-event-label.ts';
import { useResultText } from './use-result-text.ts';
import classes from './webhooks.module.css';

interface Props {
  organizationId: string;
  webhookId: string;
  /** Undefined: closed. */
  deliveryId: string | undefined;
  onClose: () => void;
}

export function DeliveryDialog({ deliveryId, onClose, ...webhook }: Props) {
  const { t } = useTranslation(['webhooks', 'shared']);
  return (
    <Modal
      opened={deliveryId !== undefined}
      onClose={onClose}
      title={t('delivery.title')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
      size={640}
    >
      {deliveryId !== undefined && <Delivery {...webhook} deliveryId={deliveryId} />}
    </Modal>
  );
}

/** Indented, for people; the bytes that were sent have no spaces. */
function indent(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}

function Delivery({
  deliveryId,
  ...webhook
}: {
  organizationId: string;
  webhookId: string;
  deliveryId: string;
}) {
  const query = useQuery(deliveryQuery(webhook, deliveryId));
  const { data } = query;
  if (!data) return <QueryState query={query} rows={6} />;
  return <WholeDelivery {...webhook} delivery={data} />;
}

function WholeDelivery({
  delivery,
  ...webhook
}: {
  organizationId: string;
  webhookId: string;
  delivery: WholeWebhookDelivery;
}) {
  const { t } = useTranslation('webhooks');
  const { formatDate } = useFormat();
  const labelOf = useEventLabel();
  const describeResult = useResultText();
  const repetition = useRepeatDelivery(webhook);
  const { id, event, createdAt, state, body } = delivery;
  const repeat = () =>
    repetition.mutate(id, {
      onSuccess: (repeated) =>
        repeated.state === 'delivered'
          ? showToast({ severity: 'success', summary: t('delivery.repeated'), details: labelOf(event) })
          : showToast({
              severity: 'error',
              summary: t('delivery.repeatFailed'),
              details: describeResult(repeated),
            }),
    });
  return (
    <Stack gap="md">
      <div>
        <Text fw={500}>{labelOf(event)}</Text>
        <Text size="sm" c="dimmed">
          {formatDate(createdAt, 'moment')}
        </Text>
        <Text size="sm" data-state={state} className={classes.result}>
          {describeResult(delivery)}
        </Text>
      </div>
      <LabelledCopy form="block" label={t('delivery.id')} text={id} />
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('delivery.body')}
        </Text>
        {body === null ? (
          <Text size="sm">{t('delivery.forgotten')}</Text>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by the keyboard, too
          <section className={classes.body} tabIndex={0} aria-label={t('delivery.body')}>
            <pre>{indent(body)}</pre>
          </section>
        )}
      </div>
      {body !== null && (
        <Group justify="flex-end">
          <Button loading={repetition.isPending} onClick={repeat}>
            {t('delivery.repeat')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
