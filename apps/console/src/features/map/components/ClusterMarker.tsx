import type { ControllerStatus } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { type MarkerCluster, worstStatus } from '../marker-cluster.ts';
import classes from './markers.module.css';

interface Props {
  cluster: MarkerCluster;
  onOpen: () => void;
}

/** Of the ring, in units of its drawing. */
const radius = 15.9155; // A circumference of 100: shares are per cent.
const gap = 1.5;

/** How many stand here, and a ring of their statuses: solid online, hollow offline, dashed never seen. */
export function ClusterMarker({ cluster, onOpen }: Props) {
  const { t } = useTranslation('map');
  const { formatNumber } = useFormat();
  const { count, countOnline, countOffline, countNever } = cluster;
  const label = t('cluster', {
    count,
    formatted: formatNumber(count),
    online: formatNumber(countOnline),
    offline: formatNumber(countOffline),
    never: formatNumber(countNever),
  });
  const short =
    count < 1000
      ? formatNumber(count)
      : t('thousands', {
          formatted: formatNumber(count / 1000, { maximumFractionDigits: count < 10_000 ? 1 : 0 }),
        });
  // From 34 pixels of two to 56 of ten thousand and more.
  const size = Math.round(Math.min(56, 32 + Math.log10(count) * 6));
  return (
    <button
      type="button"
      className={classes.cluster}
      style={{ width: size, height: size }}
      data-status={worstStatus(cluster)}
      aria-label={label}
      title={label}
      onClick={onOpen}
    >
      <svg viewBox="0 0 40 40" className={classes.ring} aria-hidden="true">
        {arcs({ online: countOnline, never: countNever, offline: countOffline }).map((arc) => (
          <Arc key={arc.status} {...arc} />
        ))}
      </svg>
      <span className={classes.count}>{short}</span>
    </button>
  );
}

interface ArcProps {
  status: ControllerStatus;
  /** Per cent of the ring. */
  from: number;
  length: number;
}

function Arc({ status, from, length }: ArcProps) {
  const isWhole = length > 99.9;
  const visible = isWhole ? 100 : Math.max(0.5, length - gap);
  const circle = {
    cx: 20,
    cy: 20,
    r: radius,
    pathLength: 100,
    transform: `rotate(${from * 3.6 - 90} 20 20)`,
  };
  const dash = isWhole ? {} : { strokeDasharray: `${visible} ${100 - visible}` };
  if (status === 'never')
    return <circle {...circle} className={classes.never} strokeDasharray={dashes(visible)} />;
  return (
    <>
      <circle {...circle} {...dash} className={status === 'online' ? classes.online : classes.offline} />
      {status === 'offline' && <circle {...circle} {...dash} className={classes.hollow} />}
    </>
  );
}

/** Dashes for a part of the ring, then nothing for its rest. */
function dashes(visible: number): string {
  const [dash, space] = [3, 2];
  const count = Math.max(1, Math.floor((visible + space) / (dash + space)));
  const drawn = count * (dash + space) - space;
  const pattern = Array.from({ length: count }, () => `${dash} ${space}`);
  pattern[count - 1] = `${Math.min(dash, visible)} ${Math.max(0, 100 - Math.min(drawn, visible))}`;
  return pattern.join(' ');
}

function arcs(counts: Readonly<Record<ControllerStatus, number>>): ArcProps[] {
  const total = counts.online + counts.offline + counts.never;
  let from = 0;
  return (['online', 'never', 'offline'] as const).flatMap((status) => {
    if (counts[status] === 0) return [];
    const length = (counts[status] / total) * 100;
    const arc = { status, from, length };
    from += length;
    return [arc];
  });
}
