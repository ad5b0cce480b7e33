import { Button } from '@mantine/core';
import { isAllowed } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { IconLock } from '../../../shared/icons/IconLock.ts';
import { IconSettings } from '../../../shared/icons/IconSettings.ts';
import { paths } from '../../../shared/paths.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { AlertsHistory } from '../components/AlertsHistory.tsx';
import { MailNotice } from '../components/MailNotice.tsx';

/** What has fired, and the way to the rules by which it does. */
export function AlertsPage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation(['alerts', 'shared']);
  const { data: organization } = useQuery(organizationQuery(organizationId));
  if (!organization) return null; // loaded before the page is shown
  const { userRole } = organization;
  if (!isAllowed(userRole, 'alerts.read')) {
    return (
      <Page title={t('title')}>
        <EmptyState icon={<IconLock size={32} stroke={1.5} />} title={t('membersOnly')}>
          {t('membersOnlyHint', { role: t(`role.${userRole}`, { ns: 'shared' }) })}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={t('title')}
      actions={
        <Button
          component={Link}
          to={paths.settings(organizationId, 'notifications')}
          variant="default"
          leftSection={<IconSettings size={16} />}
        >
          {t('rules.open')}
        </Button>
      }
    >
      <MailNotice organizationId={organizationId} />
      <AlertsHistory organizationId={organizationId} />
    </Page>
  );
}
