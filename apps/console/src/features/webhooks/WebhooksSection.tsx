import { Anchor, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { limits } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { paths } from '../../shared/paths.ts';
import { ItemListSection } from '../../shared/ui/ItemListSection.tsx';
import { ShownOnceDialog } from '../../shared/ui/ShownOnceDialog.tsx';
import { webhooksQuery } from './queries.ts';
import { useResultText } from './use-result-text.ts';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookMenu } from './WebhookMenu.tsx';
import classes from './webhooks.module.css';

/** Where the events of an organization are sent, and the way to a new one; for admins. */
export function WebhooksSection({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('webhooks');
  const { formatDate, formatNumber } = useFormat();
  const describeResult = useResultText();
  const query = useQuery(webhooksQuery(organizationId));
  const [isCreating, creating] = useDisclosure();
  const [secret, setSecret] = useState<string>();
  const limit = limits.webhooksPerOrganization;
  const isFull = (query.data?.length ?? 0) >= limit;
  return (
    <ItemListSection
      id="webhooks"
      title={t('title')}
      description={t('hint')}
      empty={t('none')}
      query={query}
      add={{
        label: t('create'),
        reason: isFull ? t('limit', { limit: formatNumber(limit) }) : undefined,
        onClick: creating.open,
      }}
      item={(webhook) => {
        const { id, name, url, events, enabled, lastDelivery: last } = webhook;
        const count = events?.length ?? 0;
        return {
          key: id,
          name,
          note: !enabled && (
            <Text span size="xs" c="dimmed">
              {t('off')}
            </Text>
          ),
          code: url ?? undefined,
          details: [
            [events === null ? t('allEvents') : t('someEvents', { count, formatted: formatNumber(count) })],
            [
              <span key="result" className={classes.result} data-state={last?.state}>
                {last === null
                  ? t('unused')
                  : `${formatDate(last.triedAt ?? last.createdAt)}: ${describeResult(last)}`}
              </span>,
              <Anchor key="all" component={Link} to={paths.webhook(organizationId, id)} inherit>
                {t('deliveries')}
              </Anchor>,
            ],
          ],
          warnings: [url === null && t('lost')],
          actions: <WebhookMenu organizationId={organizationId} webhook={webhook} onSecret={setSecret} />,
        };
      }}
    >
      <WebhookDialog
        organizationId={organizationId}
        webhook={undefined}
        opened={isCreating}
        onClose={creating.close}
        onSecret={setSecret}
      />
      <ShownOnceDialog
        secret={secret}
        title={t('secret.title')}
        text={t('secret.text')}
        copies={[{ label: t('secret.key'), text: secret ?? '' }]}
        closeLabel={t('secret.done')}
        size={520}
        onClose={() => setSecret(undefined)}
      />
    </ItemListSection>
  );
}
