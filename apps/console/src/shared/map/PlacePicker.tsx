import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasOwnMap } from './base-map/use-base-map.ts';
import type { Bounds } from './bounds.ts';
import { type Camera, type Place, wrapLongitude } from './camera.ts';
import { fitBounds } from './fit-bounds.ts';
import { MapCanvas } from './MapCanvas.tsx';
import { Marker, Markers } from './MarkerLayer.tsx';
import classes from './map.module.css';
import type { MapLibreMap } from './maplibre.ts';

interface Props {
  /** Undefined: nowhere yet. */
  place: Place | undefined;
  /** Undefined where it may only be looked at. */
  onPick: ((place: Place) => void) | undefined;
  /** Where it opens while there is no place. */
  around?: Bounds | undefined;
}

const wholeWorld: Camera = { latitude: 30, longitude: 20, zoom: 0.8 };
/** Close enough to tell two streets apart on a map that has them, and to know the region on one that has not. */
const closeUps = { own: 14, bundled: 5 };
/** Further out than this from a close-up, a place that was typed says nothing of its region. */
const far = 2;

/** A place chosen by a click on a map, or by dragging its pin; arrow keys move the pin too. */
export function PlacePicker({ place, onPick, around }: Props) {
  const { t } = useTranslation('baseMap');
  const closeUp = closeUps[useHasOwnMap() ? 'own' : 'bundled'];
  const [opensAt] = useState(place ? { ...place, zoom: closeUp } : wholeWorld);
  const [region] = useState(place ? undefined : around);
  return (
    <MapCanvas label={t('map')} camera={opensAt} isCooperative>
      {(map) => <Pin map={map} place={place} onPick={onPick} around={region} closeUp={closeUp} />}
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

function Pin({ map, place, onPick, around, closeUp }: Props & { map: MapLibreMap; closeUp: number }) {
  const { t } = useTranslation('baseMap');
  const pick = useRef<(place: Place) => void>(undefined);
  /** The last that was pointed at here: the map stays as the hand has found it. */
  const pointed = useRef<Place>(undefined);
  const grip = useRef<{ x: number; y: number }>(undefined);
  useEffect(() => {
    pick.current =
      onPick &&
      ((next) => {
        pointed.current = next;
        onPick(next);
      });
  });
  useEffect(() => {
    if (around) fitBounds(map, around, { padding: 40, maxZoom: closeUp, isStill: true });
  }, [map, around, closeUp]);
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
    if (pointed.current?.latitude === latitude && pointed.current.longitude === longitude) return;
    // Typed or pasted, it may be out of sight, or nothing but a dot on the world.
    const isFar = map.getZoom() < closeUp - far;
    if (!isFar && map.getBounds().contains([longitude, latitude])) return;
    map.easeTo({ center: [longitude, latitude], zoom: Math.max(map.getZoom(), closeUp) });
  }, [map, latitude, longitude, closeUp]);

  if (!place) return null;
  const moveTo = (x: number, y: number) => pick.current?.(roundPlace(map.unproject([x, y])));
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
