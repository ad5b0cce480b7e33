import { CloseButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Place } from '../../../shared/map/camera.ts';
import { Marker, Markers } from '../../../shared/map/MarkerLayer.tsx';
import type { MapLibreMap } from '../../../shared/map/maplibre.ts';
import classes from './map-card.module.css';
import { showBeside } from './show-beside.ts';

interface Props {
  map: MapLibreMap;
  place: Place;
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** What is said about a place: above it, or at the bottom of a small map. */
export function MapCard(props: Props) {
  const isSheet = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  if (isSheet) return <Card {...props} isSheet />;
  return (
    <Markers map={props.map} isApart>
      <Marker place={props.place}>
        <Card {...props} isSheet={false} />
      </Marker>
    </Markers>
  );
}

function Card({ map, place, label, onClose, children, isSheet }: Props & { isSheet: boolean }) {
  const { t } = useTranslation('map');
  const card = useRef<HTMLElement>(null);
  const { latitude, longitude } = place;

  useEffect(() => {
    const element = card.current;
    if (!element) return;
    element.focus({ preventScroll: true });
    // The map makes room for it. Its content may come later and make it taller.
    const observer = new ResizeObserver(() => showBeside(map, element, { latitude, longitude }, isSheet));
    observer.observe(element);
    return () => observer.disconnect();
  }, [map, latitude, longitude, isSheet]);

  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <section
      ref={card}
      className={classes.card}
      data-sheet={isSheet || undefined}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={leave}
    >
      <CloseButton className={classes.close ?? ''} size="md" aria-label={t('close')} onClick={onClose} />
      {children}
    </section>
  );
}
