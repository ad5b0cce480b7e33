import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { Overview } from '../../overview/index.ts';

/** An organization at a glance. */
export function OrganizationPage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation(['organizations', 'shared']);
  const { data } = useQuery(organizationQuery(organizationId));
  if (!data) return null; // loaded before the page is shown
  const role = t(`role.${data.userRole}`, { ns: 'shared' });
  return (
    <Page title={t('overview')}>
      {data.isPartial && (
        <Text size="sm" c="dimmed">
          {t('yourRoleInPart', { role })}
        </Text>
      )}
      <Overview organization={data} />
    </Page>
  );
}
