import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { limits } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { useScrollTarget } from '../../shared/page/scroll-target.ts';
import { DisabledReason } from '../../shared/ui/DisabledReason.tsx';
import { ErrorState } from '../../shared/ui/ErrorState.tsx';
import list from '../../shared/ui/item-list.module.css';
import { Section } from '../../shared/ui/Section.tsx';
import { ShownOnceDialog } from '../../shared/ui/ShownOnceDialog.tsx';
import { SkeletonRows } from '../../shared/ui/SkeletonRows.tsx';
import { webhooksQuery } from './queries.ts';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookRow } from './WebhookRow.tsx';

/** The place in the settings that the page of its deliveries leads back to. */
const webhooksAnchor = 'webhooks';

/** Where the events of an organization are sent, and the way to a new one; for admins. */
export function WebhooksSection({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('webhooks');
  const { formatNumber } = useFormat();
  const { refOf } = useScrollTarget();
  const { data, error, refetch } = useQuery(webhooksQuery(organizationId));
  const [isCreating, creating] = useDisclosure();
  const [secret, setSecret] = useState<string>();

  const isFull = (data?.length ?? 0) >= limits.webhooksPerOrganization;
  const reason = isFull ? t('limit', { limit: formatNumber(limits.webhooksPerOrganization) }) : undefined;
  const content = () => {
    if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return <SkeletonRows rows={1} height={56} />;
    if (data.length === 0) {
      return (
        <Text size="sm" c="dimmed">
          {t('none')}
        </Text>
      );
    }
    return (
      <ul className={list.list} aria-label={t('title')}>
        {data.map((webhook) => (
          <WebhookRow
            key={webhook.id}
            organizationId={organizationId}
            webhook={webhook}
            onSecret={setSecret}
          />
        ))}
      </ul>
    );
  };
  return (
    <div id={webhooksAnchor} ref={refOf(webhooksAnchor)}>
      <Section
        title={t('title')}
        actions={
          <DisabledReason reason={reason}>
            <Button variant="default" size="xs" onClick={creating.open}>
              {t('create')}
            </Button>
          </DisabledReason>
        }
      >
        <Stack gap="md">
          <Text size="sm" maw={560}>
            {t('hint')}
          </Text>
          {content()}
        </Stack>
      </Section>
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
    </div>
  );
}
