import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import type { Place } from './camera.ts';
import classes from './map.module.css';
import type { MapLibreMap } from './maplibre.ts';
import { createMarkerLayer, type MarkerLayer } from './marker-layer.ts';

const LayerContext = createContext<MarkerLayer | undefined>(undefined);

/** Farther than this, in pixels, the press was a drag of the map and not a click on the marker below it. */
const clickTolerance = 4;

interface MarkersProps {
  map: MapLibreMap;
  /** Drags and wheel turns that begin on them are theirs; otherwise they move the map below. */
  isApart?: boolean;
  children: ReactNode;
}

/** Elements of the page over places of the map. */
export function Markers({ map, isApart = false, children }: MarkersProps) {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const [layer, setLayer] = useState<MarkerLayer>();
  const pressedAt = useRef({ x: 0, y: 0 });
  useLayoutEffect(() => {
    if (!element) return;
    const made = createMarkerLayer(map, element);
    setLayer(made);
    return () => {
      setLayer(undefined);
      made.end();
    };
  }, [map, element]);
  useEffect(() => {
    if (!element || isApart) return;
    const press = ({ clientX: x, clientY: y }: PointerEvent) => {
      pressedAt.current = { x, y };
    };
    const click = (event: MouseEvent) => {
      const { x, y } = pressedAt.current;
      // A click by the keyboard comes from nowhere, and counts always.
      if (event.detail === 0 || Math.hypot(event.clientX - x, event.clientY - y) <= clickTolerance) return;
      event.preventDefault();
      event.stopPropagation();
    };
    element.addEventListener('pointerdown', press, true);
    element.addEventListener('click', click, true);
    return () => {
      element.removeEventListener('pointerdown', press, true);
      element.removeEventListener('click', click, true);
    };
  }, [element, isApart]);
  const content = (
    <div ref={setElement} className={classes.markers} data-apart={isApart || undefined}>
      {layer && <LayerContext value={layer}>{children}</LayerContext>}
    </div>
  );
  return isApart ? content : createPortal(content, map.getCanvasContainer());
}

/** Its middle lies over the place. */
export function Marker({
  place,
  className,
  children,
}: {
  place: Place;
  className?: string;
  children: ReactNode;
}) {
  const element = useRef<HTMLDivElement>(null);
  const layer = useContext(LayerContext);
  const { latitude, longitude } = place;
  useLayoutEffect(() => {
    if (element.current) return layer?.add(element.current, { latitude, longitude });
  }, [layer, latitude, longitude]);
  return (
    <div ref={element} className={`${classes.marker} ${className ?? ''}`}>
      {children}
    </div>
  );
}
