import type { StyleSpecification } from 'maplibre-gl';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Camera } from './camera.ts';
import { AttributionControl, MapLibreMap, ScaleControl } from './maplibre.ts';
import { watchBaseMap } from './watch-base-map.ts';

interface Options {
  /** Where it opens; read once. */
  camera: Camera;
  /** Of the map as a region of the page. */
  label: string;
  /** Inside a page that scrolls: one finger and the bare wheel are the page's. */
  isCooperative: boolean;
  style: StyleSpecification | undefined;
  zoomMax: number;
  /** The style loads, but nothing of what it draws. */
  onBroken: () => void;
}

/** Milliseconds, after which what there is of the map is shown. */
const drawnWithin = 2_000;

/** A map in the container, gone with it. Markers can stand on it before there is a style. */
export function useMap(container: RefObject<HTMLElement | null>, options: Options) {
  const { t } = useTranslation('baseMap');
  const { style, label, isCooperative, zoomMax } = options;
  const [map, setMap] = useState<MapLibreMap>();
  const [isRefused, setRefused] = useState(false);
  const onBroken = useRef(options.onBroken);
  useLayoutEffect(() => {
    onBroken.current = options.onBroken;
  });
  const shown = useRef<StyleSpecification>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; what changes later has effects of its own
  useEffect(() => {
    if (!container.current) return;
    let made: MapLibreMap;
    try {
      made = createMap(container.current, options, {
        'Map.Title': label,
        'AttributionControl.ToggleAttribution': t('attribution'),
        'ScaleControl.Meters': t('metres'),
        'ScaleControl.Kilometers': t('kilometres'),
        'CooperativeGesturesHandler.WindowsHelpText': t('scrollWithCtrl'),
        'CooperativeGesturesHandler.MacHelpText': t('scrollWithCommand'),
        'CooperativeGesturesHandler.MobileHelpText': t('twoFingers'),
      });
    } catch {
      setRefused(true);
      return;
    }
    const stopWatching = watchBaseMap(made, () => onBroken.current());
    setMap(made);
    return () => {
      setMap(undefined);
      shown.current = undefined;
      stopWatching();
      made.remove();
    };
  }, [container, isCooperative]);

  useEffect(() => {
    map?.setMaxZoom(zoomMax);
  }, [map, zoomMax]);

  useEffect(() => {
    if (!map || !style || shown.current === style) return;
    // From nothing to a style there is no difference to work out.
    map.setStyle(style, { diff: shown.current !== undefined });
    shown.current = style;
    const drawn = container.current;
    if (!drawn || 'drawn' in drawn.dataset) return;
    const show = () => {
      drawn.dataset.drawn = '';
    };
    // Tiles of the operator's may be slow.
    const timer = setTimeout(show, drawnWithin);
    const subscription = map.on('idle', show);
    return () => {
      clearTimeout(timer);
      subscription.unsubscribe();
    };
  }, [map, style, container]);

  useEffect(() => {
    map?.getCanvas().setAttribute('aria-label', label);
  }, [map, label]);

  return { map, isRefused };
}

function createMap(
  container: HTMLElement,
  { camera, isCooperative, zoomMax }: Options,
  locale: Record<string, string>,
): MapLibreMap {
  const map = new MapLibreMap({
    container,
    style: { version: 8, sources: {}, layers: [] },
    center: [camera.longitude, camera.latitude],
    zoom: camera.zoom,
    minZoom: 0.5,
    maxZoom: zoomMax,
    cooperativeGestures: isCooperative,
    // North is up: what is lost by turning a map unawares is more than what is won.
    dragRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: 150,
    locale,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new AttributionControl({ compact: false }), 'bottom-right');
  map.addControl(new ScaleControl({ maxWidth: 100, unit: 'metric' }), 'bottom-right');
  return map;
}
