import { isAllowed, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { IconBell } from '../../shared/icons/IconBell.ts';
import { IconBuilding } from '../../shared/icons/IconBuilding.ts';
import { IconChartLine } from '../../shared/icons/IconChartLine.ts';
import { IconHeartRateMonitor } from '../../shared/icons/IconHeartRateMonitor.ts';
import { IconHistory } from '../../shared/icons/IconHistory.ts';
import { IconLayoutDashboard } from '../../shared/icons/IconLayoutDashboard.ts';
import { IconLockAccess } from '../../shared/icons/IconLockAccess.ts';
import { IconPlugConnected } from '../../shared/icons/IconPlugConnected.ts';
import { IconServer2 } from '../../shared/icons/IconServer2.ts';
import { IconSettings } from '../../shared/icons/IconSettings.ts';
import { paths } from '../../shared/paths.ts';
import { useFiringAlerts, useServerAttention } from './use-attention.ts';

export const sectionGroups = ['main', 'work', 'organization', 'server'] as const;

export interface Section {
  to: string;
  /** Other addresses of the same place. */
  pages?: readonly string[];
  Icon: typeof IconServer2;
  label: string;
  group: (typeof sectionGroups)[number];
  /** Current only at this very address, not at those below it. */
  exact?: boolean;
  /** How much of it wants to be seen. */
  count?: number | undefined;
  /** Something there wants to be seen. */
  needsAttention?: boolean | undefined;
  /** On a phone the section stands in the bar, which has room for three. Other sections stand in the menu. */
  isInBar?: boolean;
}

/** Whether an address belongs to the section. */
export function isAtSection(
  { to, pages = [], exact = false }: Pick<Section, 'to' | 'pages' | 'exact'>,
  { pathname }: { pathname: string },
): boolean {
  return [to, ...pages].some((page) => pathname === page || (!exact && pathname.startsWith(`${page}/`)));
}

/** Where the user can go from any page; the sections of an organization when one is open. A section that the role never has is left out. */
export function useSections(organization: Organization | undefined): Section[] {
  const { t } = useTranslation('app');
  const { data: user } = useQuery(currentUserQuery);
  const firing = useFiringAlerts(organization);
  const needsAttention = useServerAttention(user);
  const server: Section[] = user?.isAdministrator
    ? [
        {
          to: paths.installation(),
          Icon: IconHeartRateMonitor,
          label: t('installation'),
          group: 'server',
          needsAttention,
        },
      ]
    : [];
  if (!organization) {
    const label = t('organizations');
    const to = paths.organizations();
    return [{ to, Icon: IconBuilding, label, group: 'main', exact: true, isInBar: true }, ...server];
  }
  const { id, userRole, isPartial = false } = organization;
  const sections: (Section | false)[] = [
    {
      to: paths.organization(id),
      Icon: IconLayoutDashboard,
      label: t('overview'),
      group: 'main',
      exact: true,
      isInBar: true,
    },
    {
      to: paths.controllers(id),
      pages: [paths.map(id)],
      Icon: IconServer2,
      label: t('controllers'),
      group: 'main',
      isInBar: true,
    },
    isAllowed(userRole, 'alerts.read') && {
      to: paths.alerts(id),
      Icon: IconBell,
      label: t('alerts'),
      group: 'main',
      count: firing,
      isInBar: true,
    },
    {
      // Grafana shows the whole organization.
      to: isPartial ? paths.monitoring(id) : paths.openMonitoring(id),
      pages: [paths.monitoring(id)],
      Icon: IconChartLine,
      label: t('monitoring'),
      group: 'main',
    },
    isAllowed(userRole, 'tunnels.open') && {
      to: paths.connections(id),
      Icon: IconPlugConnected,
      label: t('connections'),
      group: 'work',
    },
    // Of whoever has a part of the organization only an admin sees others.
    (!isPartial || isAllowed(userRole, 'grants.manage')) && {
      to: paths.access(id),
      Icon: IconLockAccess,
      label: t('access'),
      group: 'organization',
    },
    {
      to: paths.settings(id),
      Icon: IconSettings,
      label: t('settings'),
      group: 'organization',
    },
    isAllowed(userRole, 'audit.read') && {
      to: paths.audit(id),
      Icon: IconHistory,
      label: t('audit'),
      group: 'organization',
    },
    ...server,
  ];
  return sections.filter((section) => section !== false);
}
