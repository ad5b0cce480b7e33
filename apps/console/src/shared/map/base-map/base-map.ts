import type { Locale } from '@pult/contract';
import type { StyleSpecification } from 'maplibre-gl';
import { createBundledStyle, labelFont } from './bundled-style.ts';
import { loadTilesStyle } from './tiles-style.ts';
import { loadGeometry } from './world.ts';

export interface BaseMapOptions {
  locale: Locale;
  scheme: 'light' | 'dark';
  /** The operator's own MapLibre style. */
  styleUrl: string | null;
  /** A PMTiles file on the server; counts where there is no style. */
  tilesUrl: string | null;
}

export interface BaseMap {
  style: StyleSpecification;
  /** `own`: what the operator has set. `fallback`: that could not be loaded, and this is the bundled map in its place. */
  kind: 'own' | 'bundled' | 'fallback';
}

/** Milliseconds. A server of tiles that does not answer must not leave the map blank. */
const patience = 10_000;

export async function loadBaseMap(options: BaseMapOptions): Promise<BaseMap> {
  const own = loadOwnStyle(options);
  if (own) {
    try {
      return { style: await own, kind: 'own' };
    } catch {
      return { style: await loadBundledStyle(options), kind: 'fallback' };
    }
  }
  return { style: await loadBundledStyle(options), kind: 'bundled' };
}

function loadOwnStyle(options: BaseMapOptions): Promise<StyleSpecification> | undefined {
  if (options.styleUrl !== null) return fetchStyle(options.styleUrl);
  return options.tilesUrl === null ? undefined : loadTilesStyle(options.tilesUrl, options);
}

export async function loadBundledStyle(options: BaseMapOptions): Promise<StyleSpecification> {
  // A glyph is drawn once, in the font that is there then; of the font's files a page loads only what it shows.
  const [geometry] = await Promise.all([
    loadGeometry(),
    document.fonts?.load(`16px ${labelFont[0]}`, 'AaЯя').catch(() => undefined),
  ]);
  return createBundledStyle(geometry, options);
}

async function fetchStyle(url: string): Promise<StyleSpecification> {
  const response = await fetch(url, { signal: AbortSignal.timeout(patience), credentials: 'same-origin' });
  if (!response.ok) throw new Error(`The style answered ${response.status}.`);
  const style: unknown = await response.json();
  if (!isStyle(style)) throw new Error('What answered is no MapLibre style.');
  return style;
}

/** The map checks the rest itself, and says so. */
function isStyle(value: unknown): value is StyleSpecification {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 8 &&
    'layers' in value &&
    Array.isArray(value.layers)
  );
}
