import { Button } from '@mantine/core';
import { isAllowed } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { IconDownload } from '../../../shared/icons/IconDownload.ts';
import { IconLock } from '../../../shared/icons/IconLock.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { AuditLog } from './AuditLog.tsx';
import { auditList } from './audit-search.ts';
import { useDownloadAudit } from './queries.ts';

interface Props {
  organizationId: string;
}

/** Who did what in the organization; for its admins. */
export function AuditPage({ organizationId }: Props) {
  const { t } = useTranslation(['audit', 'shared']);
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const list = useSearchOf(auditList);
  const download = useDownloadAudit(organizationId, list.search);
  if (!organization) return null; // loaded before the page is shown
  if (!isAllowed(organization.userRole, 'audit.read')) {
    return (
      <Page title={t('title')}>
        <EmptyState icon={<IconLock size={32} stroke={1.5} />} title={t('adminsOnly')}>
          {t('adminsOnlyHint', { role: t(`role.${organization.userRole}`, { ns: 'shared' }) })}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={t('title')}
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {t('download')}
        </Button>
      }
    >
      <AuditLog organizationId={organizationId} list={list} />
    </Page>
  );
}
