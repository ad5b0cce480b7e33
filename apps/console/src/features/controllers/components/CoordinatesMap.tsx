import { useInViewport } from '@mantine/hooks';
import type { Controller } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bounds } from '../../../shared/map/bounds.ts';
import type { Place } from '../../../shared/map/camera.ts';
import { loadPart } from '../../../shared/page/load-part.ts';
import { regionQuery } from '../queries.ts';
import classes from './controller-view.module.css';

interface PickerProps {
  place: Place | undefined;
  /** Undefined where it may only be looked at. */
  onPick: ((place: Place) => void) | undefined;
  around?: Bounds | undefined;
}

interface Props extends Omit<PickerProps, 'around'> {
  controller: Controller;
}

/** The map is large, so it is loaded only once its place on the page is seen. */
export function CoordinatesMap({ controller, place, onPick }: Props) {
  const { t } = useTranslation('baseMap');
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [Picker, setPicker] = useState<ComponentType<PickerProps>>();
  const [isFailed, setFailed] = useState(false);
  // Without a place it opens where the others are: the new one is hardly on another continent.
  const [hadPlace] = useState(place !== undefined);
  const region = useQuery({ ...regionQuery(controller), enabled: inViewport && !hadPlace });
  useEffect(() => {
    if (!inViewport || Picker) return;
    // The fields beside it do without: a map that does not load takes nothing else away.
    loadPart(() => import('../../../shared/map/PlacePicker.tsx')).then(
      ({ PlacePicker }) => setPicker(() => PlacePicker),
      () => setFailed(true),
    );
  }, [inViewport, Picker]);
  return (
    <div ref={ref} className={classes.place}>
      {Picker && (hadPlace || region.isFetched) && (
        <Picker place={place} onPick={onPick} around={region.data ?? undefined} />
      )}
      {isFailed && !Picker && <p className={classes.placeFailed}>{t('loadFailed')}</p>}
    </div>
  );
}
