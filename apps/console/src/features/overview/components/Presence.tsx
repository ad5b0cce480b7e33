import type { FleetPresence, Overview } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type RangeName, ranges } from '../../../shared/charts/time-search.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { Ago } from '../../../shared/time/Ago.tsx';
import { useNow } from '../../../shared/time/use-now.ts';
import { Section } from '../../../shared/ui/Section.tsx';
import classes from './overview.module.css';
import { drawSparkline } from './sparkline.ts';

interface Props {
  organizationId: string;
  presence: NonNullable<Overview['presence']>;
}

/** How many were online lately; the charts behind have more. */
export function Presence({ organizationId, presence }: Props) {
  const { t } = useTranslation('overview');
  return (
    <Section title={t('presence.title')}>
      {presence.month.length === 0 ? (
        <p className={classes.none}>{t('presence.none')}</p>
      ) : (
        <div className={classes.periods}>
          <Period
            organizationId={organizationId}
            name={t('presence.day')}
            range="24h"
            points={presence.day}
          />
          <Period
            organizationId={organizationId}
            name={t('presence.month')}
            range="30d"
            points={presence.month}
          />
        </div>
      )}
    </Section>
  );
}

interface PeriodProps {
  organizationId: string;
  name: string;
  range: RangeName;
  points: FleetPresence;
}

function Period({ organizationId, name, range, points }: PeriodProps) {
  const { t } = useTranslation('overview');
  const { formatNumber } = useFormat();
  const now = useNow();
  const [first, ...rest] = points;
  if (!first) return null;
  const lowest = rest.reduce((low, point) => (point.online < low.online ? point : low), first);
  const { line, area } = drawSparkline(points, { start: now - ranges[range], stop: now });
  const isSteady = lowest.online === lowest.total;
  return (
    <Link to={paths.monitoring(organizationId)} search={{ range }} className={classes.period}>
      <b>{name}</b>
      <span className={classes.muted}>
        {isSteady ? (
          t('presence.steady', { total: formatNumber(lowest.total) })
        ) : (
          <>
            {t('presence.lowest', { online: formatNumber(lowest.online), total: formatNumber(lowest.total) })}
            {', '}
            <Ago time={lowest.timestamp} className={classes.ago} />
          </>
        )}
      </span>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className={classes.sparkline} aria-hidden>
        <path d={area} className={classes.area} />
        <path d={line} className={classes.curve} vectorEffect="non-scaling-stroke" />
      </svg>
    </Link>
  );
}
