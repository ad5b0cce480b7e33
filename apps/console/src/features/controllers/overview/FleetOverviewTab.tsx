import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { type Bar, BarList } from './BarList.tsx';
import classes from './overview.module.css';
import { RecentControllers } from './RecentControllers.tsx';

/** The fleet of an organization in figures; each opens the list of those it counts. */
export function FleetOverviewTab({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('organizations');
  const { formatNumber } = useFormat();
  const query = useQuery(fleetOverviewQuery(organizationId));
  const { data } = query;
  if (!data) return <QueryState query={query} rows={10} />;
  if (data.count === 0) {
    return (
      <EmptyState
        title={t('overview.empty')}
        action={
          <Button component={Link} to={paths.addController()}>
            {t('overview.add')}
          </Button>
        }
      >
        {t('overview.emptyHint')}
      </EmptyState>
    );
  }
  const figures = [
    { label: t('overview.total'), value: data.count, search: {} },
    { label: t('overview.online'), value: data.countOnline, search: { status: 'online' } },
    { label: t('overview.offline'), value: data.countOffline, search: { status: 'offline' } },
    { label: t('overview.never'), value: data.countNever, search: { status: 'never' } },
  ];
  const { otherFirmware, ungrouped } = data;
  const firmware = data.firmware.map(
    ({ firmwareVersion, ...counts }): Bar => ({
      key: `version ${firmwareVersion}`,
      name: firmwareVersion || t('overview.unknownFirmware'),
      search: firmwareVersion ? { firmware: firmwareVersion } : { firmware_known: 'false' },
      ...counts,
    }),
  );
  if (otherFirmware.versions > 0) {
    const count = otherFirmware.versions;
    const name = t('overview.otherFirmware', { count, formatted: formatNumber(count) });
    firmware.push({ ...otherFirmware, key: 'others', name, search: undefined });
  }
  const groups: Bar[] = data.groups.map((group) => ({
    ...group,
    key: group.id,
    search: { group_ids: group.id },
  }));
  if (ungrouped.count > 0) {
    groups.push({
      ...ungrouped,
      key: 'ungrouped',
      name: t('overview.ungrouped'),
      search: { ungrouped: 'true' },
    });
  }
  return (
    <div className={classes.overview}>
      <div className={classes.wide}>
        <Section
          title={t('overview.fleet')}
          actions={
            <Button component={Link} to={paths.controllers(organizationId)} variant="default" size="xs">
              {t('overview.openList')}
            </Button>
          }
        >
          <ul className={classes.figures}>
            {figures.map(({ label, value, search }) => (
              <li key={label}>
                <Link to={paths.controllers(organizationId)} search={search} className={classes.figure}>
                  <span>{label}</span> <strong>{formatNumber(value)}</strong>
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      </div>
      <BarList title={t('overview.byGroup')} bars={groups} organizationId={organizationId} />
      <BarList title={t('overview.byFirmware')} bars={firmware} organizationId={organizationId} />
      <RecentControllers
        title={t('overview.recentlyLost')}
        none={t('overview.noneLost')}
        search={{ status: 'offline', ordering: '-last_seen_at' }}
        controllers={data.recentlyLost}
        organizationId={organizationId}
        when="lastSeenAt"
      />
      <RecentControllers
        title={t('overview.recentlyAdded')}
        none={t('overview.noneAdded')}
        controllers={data.recentlyAdded}
        organizationId={organizationId}
        when="activatedAt"
      />
    </div>
  );
}

function fleetOverviewQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.overview(organizationId),
    queryFn: ({ signal }) => api('getFleetOverview', { params: { organizationId }, signal }),
  });
}
