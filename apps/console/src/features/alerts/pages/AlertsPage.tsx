import { isAllowed } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { IconLock } from '../../../shared/icons/IconLock.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { AlertsHistory } from '../components/AlertsHistory.tsx';
import { MailNotice } from '../components/MailNotice.tsx';
import { RulesSection } from '../components/RulesSection.tsx';
import { alertRulesQuery } from '../queries.ts';

/** Who is notified of controllers that go offline, and which did. */
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
    <Page title={t('title')}>
      <MailNotice organizationId={organizationId} />
      <Alerts organizationId={organizationId} />
    </Page>
  );
}

function Alerts({ organizationId }: { organizationId: string }) {
  const { isPending } = useQuery(alertRulesQuery(organizationId));
  return (
    <>
      <RulesSection organizationId={organizationId} />
      {/* How many rules there are nobody knows before: they would push it away. */}
      <AlertsHistory organizationId={organizationId} isAwaited={isPending} />
    </>
  );
}
