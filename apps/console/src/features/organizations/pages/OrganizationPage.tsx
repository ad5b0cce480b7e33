import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { AccessTab } from '../../grants/index.ts';
import { Overview } from '../../overview/index.ts';
import { ServicesTab } from '../../service-accounts/index.ts';
import { TunnelsTab } from '../../tunnels/index.ts';
import { MembersTab } from '../members/MembersTab.tsx';
import { SettingsTab } from '../settings/SettingsTab.tsx';

const parts = {
  members: MembersTab,
  access: AccessTab,
  tunnels: TunnelsTab,
  settings: SettingsTab,
};

function isPart(tab: string | undefined): tab is keyof typeof parts {
  return tab !== undefined && Object.hasOwn(parts, tab);
}

interface Props {
  organizationId: string;
  /** As the address has it; anything unknown is the overview. */
  tab: string | undefined;
}

/** An organization at a glance; its members, who is connected, and its settings are led to by the navigation alone. */
export function OrganizationPage({ organizationId, tab }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  const { data } = useQuery(organizationQuery(organizationId));
  if (!data) return null; // loaded before the page is shown
  // With a page of its own: an account that is open gives it its name.
  if (tab === 'services') return <ServicesTab organization={data} />;
  if (isPart(tab)) {
    const Part = parts[tab];
    return (
      <Page title={t(`parts.${tab}`)}>
        <Part organization={data} />
      </Page>
    );
  }
  const role = t(`role.${data.userRole}`, { ns: 'shared' });
  return (
    <Page title={t('parts.overview')}>
      {data.isPartial && (
        <Text size="sm" c="dimmed">
          {t('yourRoleInPart', { role })}
        </Text>
      )}
      <Overview organization={data} />
    </Page>
  );
}
