import { consoleTexts, fill, fillPlural, type Language } from './console-texts.ts';
import type { Installation } from './installation.ts';
import { variants } from './variants.ts';

/** What the console says about the map in one language, by what a test does with it. */
export function readMapWords(language: Language) {
  const { map, baseMap, controllers, tunnelKinds } = consoleTexts[language];
  const { views, status, list, coordinates, view } = controllers;
  return {
    map: map.label,
    list: views.list,
    showMap: views.map,
    twoOnline: fillPlural(
      map,
      { key: 'cluster', count: 2, language },
      { online: '2', offline: '0', never: '0' },
    ),
    marker: (serialNumber: string, of: 'online' | 'offline') =>
      fill(map.controller, { serialNumber, status: status[of] }),
    web: tunnelKinds.kind.http.name,
    close: map.close,
    search: list.search,
    samePlace: fill(map.samePlace, { formatted: '2' }),
    fallback: baseMap.fallback,
    streets: baseMap.streets,
    zoomIn: baseMap.zoomIn,
    zoomOut: baseMap.zoomOut,
    dismiss: baseMap.dismiss,
    nothing: map.nowhere.title,
    rest: fill(map.withoutPlace, { formatted: '1' }),
    pin: baseMap.movePin,
    latitude: coordinates.latitude,
    save: view.save,
    saved: coordinates.saved,
  };
}

/** What the tests of the map run in. */
export const mapVariants = variants.map((variant) => ({
  ...variant,
  colorScheme: variant.language === 'en' ? ('light' as const) : ('dark' as const),
}));

export const moscow = { latitude: 55.7558, longitude: 37.6173 };

export async function place(
  { api }: Installation,
  serialNumber: string,
  body: { latitude: number; longitude: number } | { latitude: null; longitude: null },
) {
  await api.call('updateController', { params: { serialNumber }, body });
}
