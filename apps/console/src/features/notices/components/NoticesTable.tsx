import type { Notice } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { StatusDot } from '../../controllers/index.ts';
import { useDuration } from '../use-duration.ts';
import classes from './notices.module.css';

interface Props {
  organizationId: string;
  notices: readonly Notice[];
  /** The rows are those of the last view, until the new ones arrive. */
  isStale: boolean;
}

/** Within which what is raised is told, unless its rule tells nobody or was changed meanwhile. */
const gatheringMs = 3 * 60_000;

export function NoticesTable({ organizationId, notices, isStale }: Props) {
  const { t } = useTranslation('notices');
  const { formatDate } = useFormat();
  const now = useNow();
  const toldOf = ({ toldAt, raisedAt, recoveredAt }: Notice) => {
    if (toldAt !== null) return formatDate(toldAt);
    const isComing = recoveredAt === null && now - Date.parse(raisedAt) < gatheringMs;
    return isComing ? t('history.toTell') : t('history.notTold');
  };
  return (
    <FoldingTable className={classes.table} label={t('history.table')} isStale={isStale}>
      <thead>
        <tr>
          <th>{t('history.controller')}</th>
          <th>{t('history.group')}</th>
          <th>{t('history.lost')}</th>
          <th>{t('history.state')}</th>
          <th>{t('history.told')}</th>
        </tr>
      </thead>
      <tbody>
        {notices.map((notice) => {
          const { id, controller, group, lostAt } = notice;
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
                  <bdi>{group.name}</bdi>
                ) : (
                  <span className={classes.muted}>{t('history.noGroup')}</span>
                )}
              </td>
              <td data-label={t('history.lost')}>
                <time dateTime={lostAt}>{formatDate(lostAt)}</time>
              </td>
              <td>
                <NoticeState notice={notice} />
              </td>
              <td data-label={t('history.told')} className={classes.muted}>
                {toldOf(notice)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </FoldingTable>
  );
}

/** Away and for how long, or back since when. */
function NoticeState({ notice: { lostAt, recoveredAt } }: { notice: Notice }) {
  const { t } = useTranslation('notices');
  const { formatDate } = useFormat();
  const duration = useDuration();
  const now = useNow();
  const until = recoveredAt === null ? now : Date.parse(recoveredAt);
  const away = duration((until - Date.parse(lostAt)) / 60_000);
  return (
    <span className={classes.state}>
      <StatusDot status={recoveredAt === null ? 'offline' : 'online'} />
      {recoveredAt === null ? (
        t('history.away', { duration: away })
      ) : (
        <span>
          {t('history.back', { at: formatDate(recoveredAt) })}
          <span className={classes.description}>{t('history.wasAway', { duration: away })}</span>
        </span>
      )}
    </span>
  );
}
