import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { paths } from '../../../shared/paths.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { MembersTab } from '../members/MembersTab.tsx';
import { FleetOverviewTab } from '../overview/FleetOverviewTab.tsx';
import { SettingsTab } from '../settings/SettingsTab.tsx';
import classes from './organization-page.module.css';

const tabs = ['overview', 'members', 'settings'] as const;

interface Props {
  organizationId: string;
  /** As the address has it; anything unknown is the overview. */
  tab: string | undefined;
}

/** An organization at a glance, its members and its settings. */
export function OrganizationPage({ organizationId, tab }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  const navigate = useNavigate();
  const { data } = useQuery(organizationQuery(organizationId));
  if (!data) return null; // loaded before the page is shown
  const role = t(`role.${data.userRole}`, { ns: 'shared' });
  const current = tabs.find((name) => name === tab) ?? 'overview';
  const open = (name: string | null) =>
    void navigate({
      to: paths.organization(organizationId),
      search: name === 'overview' || name === null ? {} : { tab: name },
    });
  return (
    <Page title={data.name} eyebrow={t('yourRole', { role })}>
      <Tabs value={current} onChange={open} keepMounted={false}>
        <Tabs.List aria-label={t('tabs.label')} className={classes.tabs ?? ''}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview" className={classes.panel ?? ''}>
          <FleetOverviewTab organizationId={organizationId} />
        </Tabs.Panel>
        <Tabs.Panel value="members" className={classes.panel ?? ''}>
          <MembersTab organization={data} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className={classes.panel ?? ''}>
          <SettingsTab organization={data} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
