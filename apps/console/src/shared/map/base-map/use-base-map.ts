import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { environmentsQuery } from '../../api/queries.ts';
import { useLocale } from '../../i18n/i18n.ts';
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
      ? loadBundledStyle(options).then((style) => ({ style, isFallback: true }))
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

  return {
    baseMap,
    /** Not even the bundled map came. */
    error,
    retry: () => {
      setError(undefined);
      setAttempt((count) => count + 1);
    },
    giveUpOwnMap: useCallback(() => setBroken(true), []),
  };
}
