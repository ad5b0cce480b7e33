import type { Alert } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { GroupName, StatusDot } from '../../controllers/index.ts';
import { useDuration } from '../use-duration.ts';
import classes from './alerts.module.css';

interface Props {
  organizationId: string;
  alerts: readonly Alert[];
  /** The rows are those of the last view, until the new ones arrive. */
  isStale: boolean;
}

/** An alert is notified within this time, unless its rule notifies nobody or was changed meanwhile. */
const pendingMs = 3 * 60_000;

export function AlertsTable({ organizationId, alerts, isStale }: Props) {
  const { t } = useTranslation('alerts');
  const { formatDate } = useFormat();
  const now = useNow();
  const notifiedOf = ({ notifiedAt, isKept, firedAt, resolvedAt }: Alert) => {
    if (isKept) return t('history.kept');
    if (notifiedAt !== null) return formatDate(notifiedAt);
    const isPending = resolvedAt === null && now - Date.parse(firedAt) < pendingMs;
    return isPending ? t('history.pending') : t('history.notNotified');
  };
  return (
    <FoldingTable className={classes.table} label={t('history.table')} isStale={isStale}>
      <thead>
        <tr>
          <th>{t('history.controller')}</th>
          <th>{t('history.group')}</th>
          <th>{t('history.since')}</th>
          <th>{t('history.state')}</th>
          <th>{t('history.notified')}</th>
        </tr>
      </thead>
      <tbody>
        {alerts.map((alert) => {
          const { id, controller, group, offlineSince, firedAt } = alert;
          const since = offlineSince ?? firedAt;
          return (
            <tr key={id}>
              <th scope="row" className={classes.controller}>
                <Link to={paths.controller(organizationId, controller.serialNumber)} className={classes.link}>
                  <Mono>{controller.serialNumber}</Mono>
                </Link>
                {controller.description && (
                  <bdi className={classes.description}>{controller.description}</bdi>
                )}
              </th>
              <td data-label={t('history.group')}>
                {group ? (
                  <GroupName group={group} />
                ) : (
                  <span className={classes.muted}>{t('history.noGroup')}</span>
                )}
              </td>
              <td data-label={t('history.since')}>
                <time dateTime={since}>{formatDate(since)}</time>
              </td>
              <td>
                {alert.traffic ? (
                  <TrafficState traffic={alert.traffic} resolvedAt={alert.resolvedAt} />
                ) : (
                  <OfflineState offlineSince={since} resolvedAt={alert.resolvedAt} />
                )}
              </td>
              <td data-label={t('history.notified')} className={classes.muted}>
                {notifiedOf(alert)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </FoldingTable>
  );
}

/** Away and for how long, or back since when. */
function OfflineState({ offlineSince, resolvedAt }: { offlineSince: string; resolvedAt: string | null }) {
  const { t } = useTranslation('alerts');
  const { formatDate } = useFormat();
  const duration = useDuration();
  const now = useNow();
  const until = resolvedAt === null ? now : Date.parse(resolvedAt);
  const away = duration((until - Date.parse(offlineSince)) / 60_000);
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
function TrafficState({
  traffic,
  resolvedAt,
}: Pick<Alert, 'resolvedAt'> & { traffic: NonNullable<Alert['traffic']> }) {
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
