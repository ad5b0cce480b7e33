import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Filters } from '../../../shared/api/query-keys.ts';
import { growBounds, isWithin } from '../../../shared/map/bounds.ts';
import type { Camera, Place } from '../../../shared/map/camera.ts';
import { fitBounds } from '../../../shared/map/fit-bounds.ts';
import { Marker, Markers } from '../../../shared/map/MarkerLayer.tsx';
import type { MapLibreMap } from '../../../shared/map/maplibre.ts';
import { clusterMarkers, isOnePlace, keyOf, type MarkerCluster } from '../marker-cluster.ts';
import { useMapFeatures } from '../use-map-features.ts';
import { silently, useView } from '../use-view.ts';
import { ClusterMarker } from './ClusterMarker.tsx';
import { ControllerCard } from './ControllerCard.tsx';
import { ControllerMarker } from './ControllerMarker.tsx';
import { MapState } from './MapState.tsx';
import { PlaceCard } from './PlaceCard.tsx';

interface Props {
  map: MapLibreMap;
  organizationId: string;
  filters: Filters;
  /** The address says where to look. */
  hasCamera: boolean;
  onMove: (camera: Camera) => void;
  matching: number | undefined;
  isFiltered: boolean;
}

type Opened =
  | { kind: 'controller'; serialNumber: string; place: Place }
  | { kind: 'place'; cluster: MarkerCluster };

/** Markers beyond the view are made up to here, as a share of it: a drag brings them in before it ends. */
const margin = 0.3;
const room = { padding: 72, maxZoom: 14 };

export function FleetMarkers(props: Props) {
  const { map, organizationId, filters, hasCamera, onMove, matching, isFiltered } = props;
  const move = useRef(onMove);
  useEffect(() => {
    move.current = onMove;
  });
  const view = useView(
    map,
    useCallback((camera: Camera) => move.current(camera), []),
  );
  const [isPlaced, setPlaced] = useState(hasCamera);
  const [opened, setOpened] = useState<Opened>();
  const opener = useRef<Element | null>(null);
  const fleet = useMapFeatures(filters, isPlaced ? view : undefined);
  const { features, findBounds } = fleet;

  const showAll = async (event: object = {}) => {
    const bounds = await findBounds();
    if (bounds) fitBounds(map, bounds, { ...room, isStill: 'isSilent' in event }, event);
  };
  const isReady = features !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with what there is first
  useEffect(() => {
    if (isPlaced || !isReady) return;
    setPlaced(true);
    void showAll(silently);
  }, [isPlaced, isReady]);

  const step = Math.floor(view.zoom);
  const merged = useMemo(() => clusterMarkers(features ?? [], step), [features, step]);
  const shown = useMemo(() => {
    const box = growBounds(view.bounds, margin);
    return merged.filter((feature) => isWithin(feature, box));
  }, [merged, view.bounds]);

  const open = (next: Opened) => {
    opener.current = document.activeElement;
    setOpened(next);
  };
  const close = () => {
    setOpened(undefined);
    // The marker may be gone meanwhile; then the map itself has the focus.
    const back = opener.current;
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
    else map.getCanvas().focus({ preventScroll: true });
  };
  const openCluster = (cluster: MarkerCluster) => {
    const zoomMax = map.getMaxZoom();
    const isAtEnd = map.getZoom() > zoomMax - 0.01;
    if (isAtEnd || isOnePlace(cluster, zoomMax)) open({ kind: 'place', cluster });
    else fitBounds(map, cluster.bounds, { padding: 96, maxZoom: zoomMax });
  };

  return (
    <>
      <Markers map={map}>
        {shown.map((feature) => (
          <Marker key={keyOf(feature)} place={feature}>
            {feature.type === 'cluster' ? (
              <ClusterMarker cluster={feature} onOpen={() => openCluster(feature)} />
            ) : (
              <ControllerMarker
                controller={feature}
                isOpen={opened?.kind === 'controller' && opened.serialNumber === feature.serialNumber}
                onOpen={() =>
                  open({ kind: 'controller', serialNumber: feature.serialNumber, place: feature })
                }
              />
            )}
          </Marker>
        ))}
      </Markers>
      <MapState
        fleet={fleet}
        matching={matching}
        isFiltered={isFiltered}
        organizationId={organizationId}
        onShowAll={() => void showAll()}
      />
      {opened?.kind === 'controller' && (
        <ControllerCard
          key={opened.serialNumber}
          map={map}
          serialNumber={opened.serialNumber}
          place={opened.place}
          onClose={close}
        />
      )}
      {opened?.kind === 'place' && (
        <PlaceCard
          map={map}
          filters={filters}
          cluster={opened.cluster}
          onChoose={(serialNumber, place) => setOpened({ kind: 'controller', serialNumber, place })}
          onClose={close}
        />
      )}
    </>
  );
}
