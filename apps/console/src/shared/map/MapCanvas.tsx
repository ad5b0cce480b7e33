import { ActionIcon, Button, Text } from '@mantine/core';
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
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
  const { baseMap, error, retry, giveUpOwnMap } = useBaseMap();
  const { map, isRefused } = useMap(container, {
    camera,
    label,
    isCooperative,
    style: baseMap?.style,
    onBroken: () => {
      if (baseMap && !baseMap.isFallback) giveUpOwnMap();
    },
  });
  const [isNoticed, setNoticed] = useState(false);

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
            <ActionIcon variant="default" size={32} aria-label={t('zoomIn')} onClick={() => map.zoomIn()}>
              <IconPlus size={16} />
            </ActionIcon>
            <ActionIcon variant="default" size={32} aria-label={t('zoomOut')} onClick={() => map.zoomOut()}>
              <IconMinus size={16} />
            </ActionIcon>
            {controls?.(map)}
          </div>
        </>
      )}
      {baseMap?.isFallback && !isNoticed && (
        <div className={classes.notice} role="status">
          <span>{t('fallback')}</span>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setNoticed(true)}>
            {t('dismiss')}
          </Button>
        </div>
      )}
    </div>
  );
}
