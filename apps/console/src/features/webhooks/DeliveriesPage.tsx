import { Anchor } from '@mantine/core';
import { isAllowed } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../shared/api/queries.ts';
import { IconLock } from '../../shared/icons/IconLock.ts';
import { paths } from '../../shared/paths.ts';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { Page } from '../../shared/ui/Page.tsx';
import { QueryState } from '../../shared/ui/QueryState.tsx';
import { DeliveriesList } from './DeliveriesList.tsx';
import { webhooksQuery } from './queries.ts';

interface Props {
  organizationId: string;
  webhookId: string;
}

/** What was sent to a webhook, and what became of it. */
export function DeliveriesPage({ organizationId, webhookId }: Props) {
  const { t } = useTranslation('webhooks');
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const mayManage = organization !== undefined && isAllowed(organization.userRole, 'webhooks.manage');
  const query = useQuery({ ...webhooksQuery(organizationId), enabled: mayManage });
  const { data } = query;
  if (!organization) return null; // loaded before the page is shown
  const webhook = data?.find(({ id }) => id === webhookId);
  const content = (): ReactNode => {
    if (!mayManage) {
      return <EmptyState icon={<IconLock size={32} stroke={1.5} />} title={t('list.adminsOnly')} />;
    }
    if (!data) return <QueryState query={query} rows={8} />;
    if (!webhook) return <EmptyState title={t('list.gone')}>{t('list.goneHint')}</EmptyState>;
    return <DeliveriesList organizationId={organizationId} webhookId={webhookId} />;
  };
  return (
    <Page
      title={webhook?.name ?? t('list.title')}
      eyebrow={
        <Anchor component={Link} to={paths.settings(organizationId, 'webhooks')}>
          {t('list.back')}
        </Anchor>
      }
    >
      {content()}
    </Page>
  );
}
