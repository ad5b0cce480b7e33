import { limits } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import type { Filters } from '../../../shared/api/query-keys.ts';
import type { Camera } from '../../../shared/map/camera.ts';
import { MapCanvas } from '../../../shared/map/MapCanvas.tsx';
import { useEarlyFeatures } from '../use-map-features.ts';
import { FleetMarkers } from './FleetMarkers.tsx';

interface Props {
  organizationId: string;
  filters: Filters;
  /** From the address; without it the map looks at all that it has. */
  camera: Camera | undefined;
  onMove: (camera: Camera) => void;
  /** How many match, wherever they are. Undefined until known. */
  matching: number | undefined;
  isFiltered: boolean;
}

const wholeWorld: Camera = { latitude: 30, longitude: 20, zoom: 1.3 };

/** The controllers of the filters on a map. */
export function FleetMap({ camera, ...fleet }: Props) {
  const { t } = useTranslation('map');
  const { filters, matching = 0 } = fleet;
  useEarlyFeatures(filters, { isLarge: camera === undefined && matching > limits.mapFeatures });
  return (
    <MapCanvas label={t('label')} camera={camera ?? wholeWorld}>
      {(map) => <FleetMarkers map={map} hasCamera={camera !== undefined} {...fleet} />}
    </MapCanvas>
  );
}
