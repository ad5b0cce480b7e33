import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Filters } from '../../../shared/api/query-keys.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import type { Place } from '../../../shared/map/camera.ts';
import type { MapLibreMap } from '../../../shared/map/maplibre.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { StatusDot } from '../../controllers/index.ts';
import type { MarkerCluster } from '../marker-cluster.ts';
import { controllersAtQuery } from '../queries.ts';
import { MapCard } from './MapCard.tsx';
import classes from './map-card.module.css';

interface Props {
  map: MapLibreMap;
  filters: Filters;
  cluster: MarkerCluster;
  onChoose: (serialNumber: string, place: Place) => void;
  onClose: () => void;
}

/** Those who stand so close together that no zoom takes them apart. */
export function PlaceCard({ map, filters, cluster, onChoose, onClose }: Props) {
  const { t } = useTranslation(['map', 'controllers']);
  const { formatNumber } = useFormat();
  const { data, error } = useQuery(controllersAtQuery(filters, cluster.bounds));
  const count = data?.count ?? cluster.count;
  const rest = data ? data.count - data.results.length : 0;
  const title = t('samePlace', { formatted: formatNumber(count) });
  return (
    <MapCard map={map} place={cluster} label={title} onClose={onClose}>
      <div className={classes.heading}>
        <span className={classes.serial}>{title}</span>
      </div>
      <ul className={classes.list}>
        {!data && error && <li className={classes.rest}>{t('loadFailed')}</li>}
        {!data && !error && <SkeletonRows rows={Math.min(4, cluster.count)} />}
        {data?.results.map(({ serialNumber, description, status }) => (
          <li key={serialNumber}>
            <UnstyledButton className={classes.row ?? ''} onClick={() => onChoose(serialNumber, cluster)}>
              <StatusDot status={status} />
              <Mono>{serialNumber}</Mono>
              <span className={classes.ellipsis}>
                <bdi>{description}</bdi>
                {description === '' && t(`status.${status}`, { ns: 'controllers' })}
              </span>
            </UnstyledButton>
          </li>
        ))}
        {rest > 0 && <li className={classes.rest}>{t('more', { formatted: formatNumber(rest) })}</li>}
      </ul>
    </MapCard>
  );
}
