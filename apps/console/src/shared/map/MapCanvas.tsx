import { ActionIcon, CloseButton, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconMinus } from '../icons/IconMinus.ts';
import { IconPlus } from '../icons/IconPlus.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { useBaseMap } from './base-map/use-base-map.ts';
import type { Camera } from './camera.ts';
import classes from './map.module.css';
import type { MapLibreMap } from './maplibre.ts';
import { useMap } from './use-map.ts';

interface Props {
  label: string;
  /** Where it opens. */
  camera: Camera;
  isCooperative?: boolean;
  /** More buttons below those of the zoom. */
  controls?: (map: MapLibreMap) => ReactNode;
  /** What lies over the map, once there is one. */
  children?: (map: MapLibreMap) => ReactNode;
}

/** A map that fills its parent. It says itself why there is none, and when it is not the one that was set. */
export function MapCanvas({ label, camera, isCooperative = false, controls, children }: Props) {
  const { t } = useTranslation('baseMap');
  const container = useRef<HTMLDivElement>(null);
  const { baseMap, zoomMax, error, retry, giveUpOwnMap } = useBaseMap();
  const { map, isRefused } = useMap(container, {
    camera,
    label,
    isCooperative,
    style: baseMap?.style,
    zoomMax,
    onBroken: () => {
      if (baseMap?.kind === 'own') giveUpOwnMap();
    },
  });
  const isAtEnd = useIsAtEnd(map);
  const [isNoticed, setNoticed] = useState(false);
  const [isHintHidden, setHintHidden] = useLocalStorage({
    key: 'map.streetsHintHidden',
    defaultValue: false,
    getInitialValueInEffect: false,
  });

  if (isRefused) {
    return (
      <div className={classes.refused}>
        <Text fw={600}>{t('noWebGl')}</Text>
        <Text size="sm" c="dimmed">
          {t('noWebGlText')}
        </Text>
      </div>
    );
  }
  if (error !== undefined && !baseMap) {
    return <ErrorState title={t('loadFailed')} error={error} onRetry={retry} />;
  }
  return (
    <div className={classes.frame}>
      <div ref={container} className={classes.canvas} />
      {map && (
        <>
          {children?.(map)}
          <div className={classes.controls}>
            <ActionIcon
              variant="default"
              size={32}
              aria-label={t('zoomIn')}
              // Keeps the focus, for the way out again.
              aria-disabled={isAtEnd}
              data-disabled={isAtEnd || undefined}
              onClick={() => map.zoomIn()}
            >
              <IconPlus size={16} />
            </ActionIcon>
            <ActionIcon variant="default" size={32} aria-label={t('zoomOut')} onClick={() => map.zoomOut()}>
              <IconMinus size={16} />
            </ActionIcon>
            {controls?.(map)}
          </div>
        </>
      )}
      {baseMap?.kind === 'fallback' && !isNoticed && (
        <Hint isWarning text={t('fallback')} onDismiss={() => setNoticed(true)} />
      )}
      {baseMap?.kind === 'bundled' && isAtEnd && !isHintHidden && (
        <Hint text={t('streets')} onDismiss={() => setHintHidden(true)} />
      )}
    </div>
  );
}

interface HintProps {
  text: string;
  isWarning?: boolean;
  onDismiss: () => void;
}

function Hint({ text, isWarning = false, onDismiss }: HintProps) {
  const { t } = useTranslation('baseMap');
  return (
    <div className={classes.notice} data-warning={isWarning || undefined} role="status">
      <span>{text}</span>
      <CloseButton size="sm" aria-label={t('dismiss')} onClick={onDismiss} />
    </div>
  );
}

/** Whether the map goes no further in. */
function useIsAtEnd(map: MapLibreMap | undefined): boolean {
  const [isAtEnd, setAtEnd] = useState(false);
  useEffect(() => {
    if (!map) return;
    const read = () => setAtEnd(map.getZoom() > map.getMaxZoom() - 0.01);
    read();
    const subscription = map.on('zoom', read);
    return () => subscription.unsubscribe();
  }, [map]);
  return isAtEnd;
}
