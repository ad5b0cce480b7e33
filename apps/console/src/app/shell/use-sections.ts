import { isAllowed, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { IconAddressBook } from '../../shared/icons/IconAddressBook.ts';
import { IconBell } from '../../shared/icons/IconBell.ts';
import { IconBuilding } from '../../shared/icons/IconBuilding.ts';
import { IconChartLine } from '../../shared/icons/IconChartLine.ts';
import { IconHeartRateMonitor } from '../../shared/icons/IconHeartRateMonitor.ts';
import { IconHistory } from '../../shared/icons/IconHistory.ts';
import { IconLayoutDashboard } from '../../shared/icons/IconLayoutDashboard.ts';
import { IconLockAccess } from '../../shared/icons/IconLockAccess.ts';
import { IconMap2 } from '../../shared/icons/IconMap2.ts';
import { IconPlugConnected } from '../../shared/icons/IconPlugConnected.ts';
import { IconRobot } from '../../shared/icons/IconRobot.ts';
import { IconServer2 } from '../../shared/icons/IconServer2.ts';
import { IconSettings } from '../../shared/icons/IconSettings.ts';
import { IconSquarePlus } from '../../shared/icons/IconSquarePlus.ts';
import { paths } from '../../shared/paths.ts';

export interface Section {
  to: string;
  search?: Record<string, string> | undefined;
  /** Where it arrives, when it only leads there. */
  page?: string | undefined;
  Icon: typeof IconServer2;
  label: string;
  /** Current only at this very address. */
  exact?: boolean;
  /** Why it may not be opened. */
  reason?: string | undefined;
  /** On a phone it stands in the menu of the rest: the bar has room for four. */
  rest?: boolean;
}

interface Place {
  pathname: string;
  search: Readonly<Record<string, unknown>>;
}

/** Whether a place is the section's page. Of the address's search only the tab counts: its lists write the rest there. */
export function isAtSection(
  { to, page = to, search }: Pick<Section, 'to' | 'page' | 'search'>,
  place: Place,
): boolean {
  return place.pathname === page && (search === undefined || search.tab === place.search.tab);
}

/** Where one can go from anywhere; the sections of an organization when one is open. */
export function useSections(organization: Organization | undefined): Section[] {
  const { t } = useTranslation(['app', 'organizations', 'shared']);
  const { data: user } = useQuery(currentUserQuery);
  const add: Section = {
    to: paths.addController(),
    Icon: IconSquarePlus,
    label: t('addController'),
    exact: true,
  };
  const installation: Section[] = user?.isAdministrator
    ? [{ to: paths.installation(), Icon: IconHeartRateMonitor, label: t('installation'), exact: true }]
    : [];
  if (!organization) {
    const organizations = { to: paths.organizations(), Icon: IconBuilding, label: t('organizations') };
    return [{ ...organizations, exact: true }, add, ...installation];
  }
  const { id, userRole, isPartial } = organization;
  const page = { to: paths.organization(id), exact: true };
  const roleTooWeak = (role: 'member' | 'admin') => t(`roleTooWeak.${role}`, { ns: 'shared' });
  return [
    { ...page, search: {}, Icon: IconLayoutDashboard, label: t('overview') },
    { to: paths.controllers(id), Icon: IconServer2, label: t('controllers') },
    { to: paths.map(id), Icon: IconMap2, label: t('map') },
    {
      // Grafana is of the whole organization.
      to: isPartial ? paths.monitoring(id) : paths.openMonitoring(id),
      page: paths.monitoring(id),
      Icon: IconChartLine,
      label: t('monitoring'),
      rest: true,
    },
    {
      to: paths.alerts(id),
      Icon: IconBell,
      label: t('alerts'),
      rest: true,
      reason: isAllowed(userRole, 'alerts.read') ? undefined : roleTooWeak('member'),
    },
    {
      ...page,
      search: { tab: 'members' },
      Icon: IconAddressBook,
      label: t('members'),
      rest: true,
      reason: isPartial ? t('membersOfWhole', { ns: 'organizations' }) : undefined,
    },
    {
      ...page,
      search: { tab: 'access' },
      Icon: IconLockAccess,
      label: t('parts.access', { ns: 'organizations' }),
      rest: true,
      reason: isAllowed(userRole, 'grants.manage') ? undefined : roleTooWeak('admin'),
    },
    {
      ...page,
      search: { tab: 'services' },
      Icon: IconRobot,
      label: t('parts.services', { ns: 'organizations' }),
      rest: true,
      reason: isAllowed(userRole, 'tokens.manage') ? undefined : roleTooWeak('admin'),
    },
    {
      ...page,
      search: { tab: 'tunnels' },
      Icon: IconPlugConnected,
      label: t('tunnels'),
      rest: true,
      reason: isAllowed(userRole, 'tunnels.open') ? undefined : roleTooWeak('member'),
    },
    { ...page, search: { tab: 'settings' }, Icon: IconSettings, label: t('settings'), rest: true },
    {
      to: paths.audit(id),
      Icon: IconHistory,
      label: t('audit'),
      rest: true,
      reason: isAllowed(userRole, 'audit.read') ? undefined : roleTooWeak('admin'),
    },
    { ...add, rest: true },
    ...installation.map((section) => ({ ...section, rest: true })),
  ];
}
