import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { paths } from '../../../shared/paths.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTabs } from '../../../shared/ui/PageTabs.tsx';
import { TunnelsTab } from '../../tunnels/index.ts';
import { MembersTab } from '../members/MembersTab.tsx';
import { FleetOverviewTab } from '../overview/FleetOverviewTab.tsx';
import { SettingsTab } from '../settings/SettingsTab.tsx';

interface Props {
  organizationId: string;
  /** As the address has it; anything unknown is the overview. */
  tab: string | undefined;
}

/** An organization at a glance, its members, who is connected, and its settings. */
export function OrganizationPage({ organizationId, tab }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  const navigate = useNavigate();
  const { data } = useQuery(organizationQuery(organizationId));
  if (!data) return null; // loaded before the page is shown
  const role = t(`role.${data.userRole}`, { ns: 'shared' });
  const open = (name: string | undefined) =>
    void navigate({
      to: paths.organization(organizationId),
      search: name === undefined ? {} : { tab: name },
    });
  return (
    <Page title={data.name} eyebrow={t('yourRole', { role })}>
      <PageTabs
        label={t('tabs.label')}
        current={tab}
        onOpen={open}
        tabs={[
          {
            name: 'overview',
            label: t('tabs.overview'),
            content: <FleetOverviewTab organizationId={organizationId} />,
          },
          { name: 'members', label: t('tabs.members'), content: <MembersTab organization={data} /> },
          { name: 'tunnels', label: t('tabs.tunnels'), content: <TunnelsTab organization={data} /> },
          { name: 'settings', label: t('tabs.settings'), content: <SettingsTab organization={data} /> },
        ]}
      />
    </Page>
  );
}
