import { useComputedColorScheme } from '@mantine/core';
import type { Environments } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { environmentsQuery } from '../../api/queries.ts';
import { useLocale } from '../../i18n/i18n.ts';
import { bundledZoomMax, zoomMax } from '../camera.ts';
import { type BaseMap, loadBaseMap, loadBundledStyle } from './base-map.ts';

/** The map below the markers, in the language and colours of the page. */
export function useBaseMap() {
  const { data: environments } = useQuery(environmentsQuery);
  const locale = useLocale();
  const scheme = useComputedColorScheme('light');
  const [baseMap, setBaseMap] = useState<BaseMap>();
  const [error, setError] = useState<unknown>();
  // It loaded, but what it draws with did not.
  const [isBroken, setBroken] = useState(false);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again
  useEffect(() => {
    if (!environments) return;
    let isCurrent = true;
    const options = {
      locale,
      scheme,
      styleUrl: environments.MAP_STYLE_URL,
      tilesUrl: environments.MAP_TILES_URL,
    };
    const loading: Promise<BaseMap> = isBroken
      ? loadBundledStyle(options).then((style) => ({ style, kind: 'fallback' }))
      : loadBaseMap(options);
    loading.then(
      (loaded) => {
        if (isCurrent) setBaseMap(loaded);
      },
      (reason: unknown) => {
        if (isCurrent) setError(reason);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [environments, locale, scheme, isBroken, attempt]);

  // Known before the map is there, so that it opens where it can stay.
  const isOwn = baseMap ? baseMap.kind === 'own' : hasOwnMap(environments);
  return {
    baseMap,
    /** How far it goes in. */
    zoomMax: isOwn ? zoomMax : bundledZoomMax,
    /** Not even the bundled map came. */
    error,
    retry: () => {
      setError(undefined);
      setAttempt((count) => count + 1);
    },
    giveUpOwnMap: useCallback(() => setBroken(true), []),
  };
}

/** Whether the operator has set a map that shows streets. */
export function useHasOwnMap(): boolean {
  return hasOwnMap(useQuery(environmentsQuery).data);
}

function hasOwnMap(environments: Pick<Environments, 'MAP_STYLE_URL' | 'MAP_TILES_URL'> | undefined): boolean {
  return environments !== undefined && (environments.MAP_STYLE_URL ?? environments.MAP_TILES_URL) !== null;
}
