import { useEffect, useState } from 'react';
import { type Bounds, growBounds } from '../../shared/map/bounds.ts';
import type { Camera } from '../../shared/map/camera.ts';
import type { MapLibreMap } from '../../shared/map/maplibre.ts';
import type { View } from './queries.ts';

/** What the map shows, told anew when it has come to rest and at each step of its zoom. */
export function useView(map: MapLibreMap, onMove: (camera: Camera) => void): View {
  const [view, setView] = useState(() => readView(map));
  useEffect(() => {
    const rest = (event: { originalEvent?: unknown }) => {
      setView(readView(map));
      if (!isSilent(event)) onMove(readCamera(map));
    };
    const zoom = () =>
      setView((current) =>
        Math.floor(map.getZoom()) === Math.floor(current.zoom) ? current : readView(map),
      );
    const subscriptions = [map.on('moveend', rest), map.on('zoom', zoom), map.on('resize', rest)];
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [map, onMove]);
  return view;
}

/** Given to a movement that is nobody's choice and belongs into no address: the first look, and a resized window. */
export const silently = { isSilent: true };

function isSilent(event: object): boolean {
  return 'isSilent' in event || ('type' in event && event.type === 'resize');
}

function readView(map: MapLibreMap): View {
  const box = map.getBounds();
  const bounds: Bounds = [box.getWest(), box.getSouth(), box.getEast(), box.getNorth()];
  return { bounds: growBounds(bounds, 0), zoom: map.getZoom() };
}

function readCamera(map: MapLibreMap): Camera {
  const { lat, lng } = map.getCenter();
  return { latitude: lat, longitude: lng, zoom: map.getZoom() };
}
