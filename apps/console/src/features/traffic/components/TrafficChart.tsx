import type { ControllerTraffic } from '@pult/contract';
import { type TrafficKind, trafficKinds } from '@pult/contract/values';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { listDays } from '../months.ts';
import classes from './traffic.module.css';

type Bytes = Record<TrafficKind, number>;

const sum = (bytes: Bytes) => trafficKinds.reduce((all, kind) => all + bytes[kind], 0);

interface Props {
  traffic: ControllerTraffic;
  /** When the controller was added. */
  since: number;
}

/** A column for each day of the month, stacked by kind; and what each kind comes to. */
export function TrafficChart({ traffic: { month, days, total }, since }: Props) {
  const { t } = useTranslation('traffic');
  const { formatBytes, formatDate } = useFormat();
  const [until] = useState(() => Date.now());
  if (days.length === 0) return <p className={classes.none}>{t('none')}</p>;
  const byDay = new Map(days.map((day) => [day.day, day]));
  const highest = Math.max(1, ...days.map(sum));
  const shown = listDays(month, { since, until, counted: [...byDay.keys()] });
  /** In words: what a column says to the eye. */
  const describe = (day: string, bytes: Bytes) => {
    const parts = trafficKinds
      .filter((kind) => bytes[kind] > 0)
      .map((kind) => `${t(`kind.${kind}`)} ${formatBytes(bytes[kind])}`);
    return `${formatDate(`${day}T00:00:00Z`, 'utcDay')}: ${formatBytes(sum(bytes))}. ${parts.join(', ')}`;
  };
  return (
    <>
      {/* One column compares with nothing: the sums say all of it. */}
      {shown.length > 1 && (
        <div className={classes.chart}>
          {/* Of a single day it is the sum, which stands above. */}
          {highest !== total && <span className={classes.highest}>{formatBytes(highest)}</span>}
          <ol className={classes.days} aria-label={t('chart')}>
            {shown.map((day) => {
              const bytes = byDay.get(day);
              const text = bytes && describe(day, bytes);
              return (
                <li key={day} className={classes.day} aria-hidden={!bytes || undefined}>
                  <span className={classes.column} role="img" aria-label={text} title={text}>
                    {bytes &&
                      trafficKinds.map((kind) => (
                        <span
                          key={kind}
                          className={classes.part}
                          data-kind={kind}
                          style={{ height: `${(bytes[kind] / highest) * 100}%` }}
                        />
                      ))}
                  </span>
                  <span className={classes.number} aria-hidden>
                    {Number(day.slice(-2))}
                  </span>
                </li>
              );
            })}
          </ol>
        </div>
      )}
      <ul className={classes.legend} aria-label={t('kinds')}>
        {trafficKinds.map((kind) => (
          <li key={kind}>
            <span className={classes.mark} data-kind={kind} aria-hidden />
            {t(`kind.${kind}`)} <strong>{formatBytes(days.reduce((all, day) => all + day[kind], 0))}</strong>
          </li>
        ))}
      </ul>
    </>
  );
}
