import type { Locale } from '@pult/contract';
import { feature, mesh } from 'topojson-client';
// As a file of its own, not as a script: half the size to read, and only with the map.
import countriesUrl from 'world-atlas/countries-50m.json?url';
import { wrapLongitude } from '../camera.ts';
import { findLabelPlace } from './label-place.ts';
import { unwrapArea } from './unwrap.ts';

type World = Parameters<typeof mesh>[0];

/** The bundled world (Natural Earth 1:50m) as the map draws it. */
export interface Geometry {
  land: GeoJSON.FeatureCollection;
  borders: GeoJSON.MultiLineString;
  /** Each with its ISO 3166 numeric code and its size. */
  names: GeoJSON.Feature<GeoJSON.Point, { code: string; size: number }>[];
}

let loading: Promise<Geometry> | undefined;

/** Read once, on the first map. */
export function loadGeometry(): Promise<Geometry> {
  loading ??= fetchGeometry().catch((error: unknown) => {
    // The next map tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function fetchGeometry(): Promise<Geometry> {
  const response = await fetch(countriesUrl);
  if (!response.ok) throw new Error(`The bundled map answered ${response.status}.`);
  // Our own asset, of a pinned version.
  const world = (await response.json()) as World;
  return createGeometry(world);
}

export function createGeometry(world: World): Geometry {
  const { countries, land } = world.objects;
  if (!countries || !land) throw new Error('The bundled map has no countries.');
  const names: Geometry['names'] = [];
  for (const { id, geometry } of listAreas(world, countries)) {
    // What has no code is claimed by several: its name is left to the people there.
    const place = id === undefined ? undefined : findLabelPlace(geometry.coordinates);
    if (!place) continue;
    names.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [wrapLongitude(place.longitude), place.latitude] },
      properties: { code: String(id), size: place.size },
    });
  }
  return {
    land: { type: 'FeatureCollection', features: listAreas(world, land) },
    // What the file's `objects` hold is what mesh takes; their types differ only in the unused properties.
    borders: mesh(world, countries as Parameters<typeof mesh>[1], (one, other) => one !== other),
    names,
  };
}

type Area = GeoJSON.Feature<GeoJSON.MultiPolygon>;

function listAreas(world: World, object: Parameters<typeof feature>[1]): Area[] {
  const found = feature(world, object);
  const features = found.type === 'FeatureCollection' ? found.features : [found];
  return features.flatMap(({ geometry, ...rest }) =>
    isArea(geometry) ? [{ ...rest, geometry: unwrapArea(geometry) }] : [],
  );
}

function isArea(geometry: GeoJSON.Geometry): geometry is GeoJSON.Polygon | GeoJSON.MultiPolygon {
  return geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
}

/** Browsers know the names of all countries; a numeric code has its letters as a region of a language tag. */
export function createCountryNames(locale: Locale): (code: string) => string {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  return (code) => names.of(new Intl.Locale(`und-${code}`).region ?? code) ?? '';
}
