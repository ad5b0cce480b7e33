import type { Locale } from '@pult/contract';
import type { StyleSpecification } from 'maplibre-gl';
import { cities } from './cities.ts';
import { type Palette, palettes } from './palette.ts';
import { createCountryNames, type Geometry } from './world.ts';

/** The console's own font, drawn by the browser: there is no server of glyphs. */
export const labelFont = ['Inter Variable'];

/** Countries, their borders and names, and large cities: all that the console brings along. */
export function createBundledStyle(
  geometry: Geometry,
  options: { locale: Locale; scheme: 'light' | 'dark' },
): StyleSpecification {
  const palette = palettes[options.scheme];
  const nameOf = createCountryNames(options.locale);
  const countries = geometry.names.map((label) => ({
    ...label,
    properties: { ...label.properties, name: nameOf(label.properties.code) },
  }));
  const places = cities.map(([names, latitude, longitude, rank]) => ({
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
    properties: { name: names[options.locale === 'ru' ? 1 : 0], rank },
  }));
  return {
    version: 8,
    sources: {
      land: {
        type: 'geojson',
        data: geometry.land,
        attribution: 'Natural Earth',
        tolerance: 0.3,
        maxzoom: 7,
      },
      borders: { type: 'geojson', data: geometry.borders, tolerance: 0.3, maxzoom: 7 },
      countries: { type: 'geojson', data: { type: 'FeatureCollection', features: countries } },
      cities: { type: 'geojson', data: { type: 'FeatureCollection', features: places } },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': palette.water } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': palette.land } },
      {
        id: 'coast',
        type: 'line',
        source: 'land',
        paint: { 'line-color': palette.coast, 'line-width': 0.75 },
      },
      {
        id: 'borders',
        type: 'line',
        source: 'borders',
        layout: { 'line-join': 'round' },
        paint: {
          'line-color': palette.border,
          'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.5, 6, 1.25],
        },
      },
      cityLayer(palette),
      countryLayer(palette),
    ],
  };
}

type Layer = StyleSpecification['layers'][number];

function countryLayer(palette: Palette): Layer {
  return {
    id: 'countries',
    type: 'symbol',
    source: 'countries',
    maxzoom: 8,
    // Small ones are named once there is room.
    filter: ['>=', ['get', 'size'], ['step', ['zoom'], 250, 2, 60, 3, 8, 4, 1, 5, 0]],
    layout: {
      'text-field': ['get', 'name'],
      'text-font': labelFont,
      'text-size': [
        'interpolate',
        ['linear'],
        ['zoom'],
        1,
        ['interpolate', ['linear'], ['get', 'size'], 0, 9, 800, 12],
        6,
        ['interpolate', ['linear'], ['get', 'size'], 0, 12, 800, 18],
      ],
      'text-max-width': 7,
      'text-letter-spacing': 0.04,
      'text-padding': 6,
      'symbol-sort-key': ['-', ['get', 'size']],
    },
    paint: textPaint(palette.country, palette.halo),
  };
}

function cityLayer(palette: Palette): Layer {
  return {
    id: 'cities',
    type: 'symbol',
    source: 'cities',
    // Of the zoom a filter sees the whole number below it.
    filter: ['<=', ['get', 'rank'], ['step', ['zoom'], 0, 3, 1, 4, 2, 5, 3]],
    layout: {
      'text-field': ['concat', '•\n', ['get', 'name']],
      'text-font': labelFont,
      'text-size': ['interpolate', ['linear'], ['zoom'], 3, 10, 8, 13],
      // The name below a ring of controllers, which stands on the dot.
      'text-line-height': 2.2,
      'text-max-width': 30,
      'text-anchor': 'top',
      'text-offset': [0, -1.1],
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: textPaint(palette.city, palette.halo),
  };
}

export function textPaint(color: string, halo: string) {
  return { 'text-color': color, 'text-halo-color': halo, 'text-halo-width': 1.25 };
}
