import type { Map as MapLibreMap } from 'maplibre-gl';
import { type Place, wrapLongitude } from './camera.ts';
import { type Point, pixelsAcross, project } from './mercator.ts';

/** Keeps elements of the page over their places of the map. */
export interface MarkerLayer {
  /** Returns what takes it away. */
  add(element: HTMLElement, place: Place): () => void;
  end(): void;
}

/**
 * While the map is dragged only the layer moves, however many markers it has; each marker is placed anew only when the
 * zoom changes. Offsets count from the middle of the view: whole-world pixels are too large for a transform's floats.
 */
export function createMarkerLayer(map: MapLibreMap, layer: HTMLElement): MarkerLayer {
  const markers = new Map<HTMLElement, Place>();
  let zoom = Number.NaN;
  let origin: Place = { latitude: 0, longitude: 0 };
  let originPoint: Point = { x: 0.5, y: 0.5 };

  const put = (element: HTMLElement, { latitude, longitude }: Place) => {
    // Of the copies of the world that the map repeats, the one nearest to the view.
    const nearest = origin.longitude + wrapLongitude(longitude - origin.longitude);
    const { x, y } = project({ latitude, longitude: nearest });
    const size = pixelsAcross(zoom);
    element.style.transform = `translate(${(x - originPoint.x) * size}px, ${(y - originPoint.y) * size}px)`;
  };
  const readCenter = (): Place => {
    const { lat, lng } = map.getCenter();
    return { latitude: lat, longitude: lng };
  };
  const moveLayer = () => {
    const center = project(readCenter());
    const size = pixelsAcross(zoom);
    const { clientWidth, clientHeight } = map.getContainer();
    const x = clientWidth / 2 + (originPoint.x - center.x) * size;
    const y = clientHeight / 2 + (originPoint.y - center.y) * size;
    layer.style.transform = `translate(${x}px, ${y}px)`;
  };
  const placeAll = () => {
    zoom = map.getZoom();
    origin = readCenter();
    originPoint = project(origin);
    for (const [element, place] of markers) put(element, place);
    moveLayer();
  };
  const follow = () => (map.getZoom() === zoom ? moveLayer() : placeAll());

  placeAll();
  const subscriptions = [map.on('move', follow), map.on('moveend', placeAll), map.on('resize', moveLayer)];
  return {
    add: (element, place) => {
      markers.set(element, place);
      put(element, place);
      return () => markers.delete(element);
    },
    end: () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    },
  };
}
