import { useInViewport } from '@mantine/hooks';
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Place } from '../../../shared/map/camera.ts';
import { loadPart } from '../../../shared/page/load-part.ts';
import classes from './controller-view.module.css';

interface Props {
  place: Place | undefined;
  /** Undefined where it may only be looked at. */
  onPick: ((place: Place) => void) | undefined;
}

/** The map is large, so it is loaded only once its place on the page is seen. */
export function CoordinatesMap(props: Props) {
  const { t } = useTranslation('baseMap');
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [Picker, setPicker] = useState<ComponentType<Props>>();
  const [isFailed, setFailed] = useState(false);
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
      {Picker && <Picker {...props} />}
      {isFailed && !Picker && <p className={classes.placeFailed}>{t('loadFailed')}</p>}
    </div>
  );
}
