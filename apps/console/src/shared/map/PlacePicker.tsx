import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Camera, type Place, wrapLongitude } from './camera.ts';
import { MapCanvas } from './MapCanvas.tsx';
import { Marker, Markers } from './MarkerLayer.tsx';
import classes from './map.module.css';
import type { MapLibreMap } from './maplibre.ts';

interface Props {
  /** Undefined: nowhere yet. */
  place: Place | undefined;
  /** Undefined where it may only be looked at. */
  onPick: ((place: Place) => void) | undefined;
}

const wholeWorld: Camera = { latitude: 30, longitude: 20, zoom: 0.8 };
/** Close enough to tell two streets apart on a map that has them, and to know the region on one that has not. */
const closeUp = 7.5;

/** A place chosen by a click on a map, or by dragging its pin; arrow keys move the pin too. */
export function PlacePicker({ place, onPick }: Props) {
  const { t } = useTranslation('baseMap');
  const [opensAt] = useState(place ? { ...place, zoom: closeUp } : wholeWorld);
  return (
    <MapCanvas label={t('map')} camera={opensAt} isCooperative>
      {(map) => <Pin map={map} place={place} onPick={onPick} />}
    </MapCanvas>
  );
}

/** Of a move by an arrow key, in pixels; with Shift tenfold. */
const step = 2;
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
};

function Pin({ map, place, onPick }: Props & { map: MapLibreMap }) {
  const { t } = useTranslation('baseMap');
  const pick = useRef(onPick);
  const grip = useRef<{ x: number; y: number }>(undefined);
  useEffect(() => {
    pick.current = onPick;
  });
  useEffect(() => {
    const subscription = map.on('click', ({ lngLat, originalEvent }) => {
      // A click on the pin itself is none on the map below it.
      if (originalEvent.target === map.getCanvas()) pick.current?.(roundPlace(lngLat));
    });
    return () => subscription.unsubscribe();
  }, [map]);

  const latitude = place?.latitude;
  const longitude = place?.longitude;
  useEffect(() => {
    if (latitude === undefined || longitude === undefined) return;
    // Typed from elsewhere, it may be out of sight.
    if (!map.getBounds().contains([longitude, latitude])) map.easeTo({ center: [longitude, latitude] });
  }, [map, latitude, longitude]);

  if (!place) return null;
  const moveTo = (x: number, y: number) => onPick?.(roundPlace(map.unproject([x, y])));
  const press = (event: PointerEvent<HTMLButtonElement>) => {
    if (!onPick || event.button !== 0) return;
    const { x, y } = map.project([place.longitude, place.latitude]);
    grip.current = { x: x - event.clientX, y: y - event.clientY };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent) => {
    if (grip.current) moveTo(event.clientX + grip.current.x, event.clientY + grip.current.y);
  };
  const drop = () => {
    grip.current = undefined;
  };
  const nudge = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    if (!arrow || !onPick) return;
    event.preventDefault();
    const { x, y } = map.project([place.longitude, place.latitude]);
    const times = event.shiftKey ? 10 : 1;
    moveTo(x + arrow[0] * times, y + arrow[1] * times);
  };
  return (
    <Markers map={map} isApart>
      <Marker place={place}>
        <button
          type="button"
          className={classes.pin}
          aria-label={onPick ? t('movePin') : t('pin')}
          title={onPick ? t('movePin') : undefined}
          data-fixed={!onPick || undefined}
          onPointerDown={press}
          onPointerMove={drag}
          onPointerUp={drop}
          onPointerCancel={drop}
          onKeyDown={nudge}
        >
          <svg viewBox="0 0 28 36" aria-hidden="true">
            <path d="M14 35c7-9 12-14.500 12-21a12 12 0 1 0-24 0c0 6.500 5 12 12 21z" />
            <circle cx="14" cy="14" r="4.500" />
          </svg>
        </button>
      </Marker>
    </Markers>
  );
}

/** To a tenth of a metre, as the fields beside the map show it. */
function roundPlace({ lat, lng }: { lat: number; lng: number }): Place {
  return { latitude: round(lat), longitude: round(wrapLongitude(lng)) };
}

function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
