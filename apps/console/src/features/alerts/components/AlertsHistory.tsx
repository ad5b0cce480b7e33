import { SegmentedControl, Select } from '@mantine/core';
import type { Alert } from '@pult/contract';
import { alertKinds, alertStates } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { SearchField } from '../../../shared/ui/SearchField.tsx';
import { FilterPill, GroupName, GroupNames, StatusDot } from '../../controllers/index.ts';
import { alertsList } from '../queries.ts';
import { useDuration } from '../use-duration.ts';
import classes from './alerts.module.css';

/** The alerts that have fired, with a filter. */
export function AlertsHistory({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('alerts');
  const list = useSearchOf(alertsList);
  const query = useQuery(alertsList.query({ organizationId }, list.search));
  const columns = useColumns(organizationId);
  const { search, change } = list;
  return (
    <section aria-label={t('history.title')} className={classes.part}>
      <h2 className={classes.title}>{t('history.title')}</h2>
      <GroupNames filters={{ organization_id: organizationId }}>
        <div className={classes.filters}>
          <SegmentedControl
            aria-label={t('history.filter')}
            value={search.state ?? 'all'}
            data={[
              { value: 'all', label: t('history.all') },
              ...alertStates.map((state) => ({ value: state, label: t(`history.${state}`) })),
            ]}
            onChange={(value) => change({ state: alertStates.find((state) => state === value) })}
          />
          <Select
            className={classes.kind ?? ''}
            aria-label={t('history.kindFilter')}
            allowDeselect={false}
            value={search.kind ?? 'all'}
            data={[
              { value: 'all', label: t('history.anyKind') },
              ...alertKinds.map((kind) => ({ value: kind, label: t(`history.kind.${kind}`) })),
            ]}
            onChange={(value) => change({ kind: alertKinds.find((kind) => kind === value) })}
          />
          <SearchField
            label={t('history.search')}
            value={search.serialNumber}
            onChange={(serialNumber) => change({ serialNumber })}
          />
          {search.groupIds.map((id) => (
            <FilterPill
              key={id}
              label={t('history.anyGroup')}
              onRemove={() => change({ groupIds: search.groupIds.filter((each) => each !== id) })}
            >
              <GroupName group={{ id, name: t('history.group') }} />
            </FilterPill>
          ))}
        </div>
        <DataTable
          className={classes.table}
          label={t('history.table')}
          columns={columns}
          keyOf={({ id }) => id}
          query={query}
          outline={8}
          empty={{ title: t('history.empty'), hint: t('history.emptyHint') }}
          list={list}
        />
      </GroupNames>
    </section>
  );
}

/** An alert is notified within this time, unless its rule notifies nobody or was changed meanwhile. */
const pendingMs = 3 * 60_000;

const sinceOf = ({ offlineSince, firedAt }: Alert) => offlineSince ?? firedAt;

function useColumns(organizationId: string): Column<Alert>[] {
  const { t } = useTranslation('alerts');
  const { formatDate } = useFormat();
  const now = useNow();
  const notifiedOf = ({ notifiedAt, isKept, firedAt, resolvedAt }: Alert) => {
    if (isKept) return t('history.kept');
    if (notifiedAt !== null) return formatDate(notifiedAt);
    const isPending = resolvedAt === null && now - Date.parse(firedAt) < pendingMs;
    return isPending ? t('history.pending') : t('history.notNotified');
  };
  return [
    {
      name: 'controller',
      title: t('history.controller'),
      isHead: true,
      cell: ({ controller: { serialNumber, description } }) => (
        <>
          <Link to={paths.controller(organizationId, serialNumber)} className={classes.link}>
            <Mono>{serialNumber}</Mono>
          </Link>
          {description && <bdi className={classes.description}>{description}</bdi>}
        </>
      ),
    },
    {
      name: 'group',
      title: t('history.group'),
      cell: ({ group }) =>
        group ? <GroupName group={group} /> : <span className={classes.muted}>{t('history.noGroup')}</span>,
    },
    {
      name: 'since',
      title: t('history.since'),
      cell: (alert) => <time dateTime={sinceOf(alert)}>{formatDate(sinceOf(alert))}</time>,
    },
    {
      name: 'state',
      title: t('history.state'),
      isPlain: true,
      cell: (alert) =>
        alert.traffic ? <TrafficState {...alert} traffic={alert.traffic} /> : <OfflineState {...alert} />,
    },
    { name: 'notified', title: t('history.notified'), cell: notifiedOf },
  ];
}

/** Away and for how long, or back since when. */
function OfflineState(alert: Alert) {
  const { t } = useTranslation('alerts');
  const { formatDate } = useFormat();
  const duration = useDuration();
  const now = useNow();
  const { resolvedAt } = alert;
  const until = resolvedAt === null ? now : Date.parse(resolvedAt);
  const away = duration((until - Date.parse(sinceOf(alert))) / 60_000);
  return (
    <span className={classes.state}>
      <StatusDot status={resolvedAt === null ? 'offline' : 'online'} />
      {resolvedAt === null ? (
        t('history.away', { duration: away })
      ) : (
        <span>
          {t('history.back', { at: formatDate(resolvedAt) })}
          <span className={classes.description}>{t('history.wasAway', { duration: away })}</span>
        </span>
      )}
    </span>
  );
}

/** How much of its budget it had moved when the alert fired. */
function TrafficState({ traffic, resolvedAt }: Alert & { traffic: NonNullable<Alert['traffic']> }) {
  const { t } = useTranslation('alerts');
  const { formatBytes, formatDate, formatNumber } = useFormat();
  const share = Math.floor((traffic.bytes / traffic.budget) * 100) / 100;
  const percent = formatNumber(share, { style: 'percent' });
  return (
    <span>
      {t('history.traffic', { percent, budget: formatBytes(traffic.budget) })}
      {resolvedAt !== null && (
        <span className={classes.description}>
          {t('history.trafficOver', { at: formatDate(resolvedAt) })}
        </span>
      )}
    </span>
  );
}
