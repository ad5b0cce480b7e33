import type { Locale } from '@pult/contract';
import type { StyleSpecification } from 'maplibre-gl';
import { PMTiles, TileType } from 'pmtiles';
import { labelFont, textPaint } from './bundled-style.ts';
import { type Palette, palettes } from './palette.ts';
import { findTileSchema, type TileSchema } from './tile-schemas.ts';

type Layer = StyleSpecification['layers'][number];

/**
 * A style for the PMTiles file that the operator has put on the server: images as they are, vector tiles in the
 * console's own colours. Throws where the file cannot be read or drawn.
 */
export async function loadTilesStyle(
  url: string,
  options: { locale: Locale; scheme: 'light' | 'dark' },
): Promise<StyleSpecification> {
  const address = new URL(url, window.location.href).href;
  const archive = new PMTiles(address);
  const { tileType } = await archive.getHeader();
  const source = `pmtiles://${address}`;
  if (tileType !== TileType.Mvt) {
    return {
      version: 8,
      sources: { tiles: { type: 'raster', url: source, tileSize: 256 } },
      layers: [{ id: 'tiles', type: 'raster', source: 'tiles' }],
    };
  }
  const schema = findTileSchema(readLayerNames(await archive.getMetadata()));
  if (!schema) throw new Error('The map file has tiles of an unknown kind.');
  return createVectorStyle(source, schema, options);
}

function readLayerNames(metadata: unknown): string[] {
  if (typeof metadata !== 'object' || metadata === null || !('vector_layers' in metadata)) return [];
  const layers: unknown[] = Array.isArray(metadata.vector_layers) ? metadata.vector_layers : [];
  return layers.flatMap((layer) =>
    typeof layer === 'object' && layer !== null && 'id' in layer ? [String(layer.id)] : [],
  );
}

function createVectorStyle(
  source: string,
  schema: TileSchema,
  { locale, scheme }: { locale: Locale; scheme: 'light' | 'dark' },
): StyleSpecification {
  const palette = palettes[scheme];
  return {
    version: 8,
    sources: { tiles: { type: 'vector', url: source, attribution: schema.attribution } },
    layers: [
      {
        id: 'background',
        type: 'background',
        paint: { 'background-color': schema.land ? palette.water : palette.land },
      },
      ...areas(schema, palette),
      ...lines(schema, palette),
      ...names(schema, palette, locale),
    ],
  };
}

function areas(schema: TileSchema, palette: Palette): Layer[] {
  return [
    ...(schema.land ? [area('land', schema.land, palette.land)] : []),
    area('green', schema.green, palette.green),
    area('water', schema.water, palette.water),
    { ...area('buildings', schema.buildings, palette.building), minzoom: 14 },
  ];
}

type Selection = TileSchema['green'];

function area(id: string, { layer, filter }: Selection, color: string): Layer {
  const paint = { 'fill-color': color };
  return { id, type: 'fill', source: 'tiles', 'source-layer': layer, ...(filter ? { filter } : {}), paint };
}

function lines(schema: TileSchema, palette: Palette): Layer[] {
  return [
    line('rails', schema.rails, palette.rail, [10, 0.5, 16, 2]),
    line('minor-roads', schema.minorRoads, palette.road, [12, 0.5, 17, 8]),
    line('major-roads', schema.majorRoads, palette.road, [8, 0.5, 17, 12]),
    line('motorways', schema.motorways, palette.motorway, [5, 0.5, 17, 16]),
    line('regions', schema.regions, palette.border, [4, 0.3, 10, 1]),
    line('borders', schema.borders, palette.border, [1, 0.5, 8, 1.75]),
  ];
}

function line(
  id: string,
  { layer, filter }: Selection,
  color: string,
  [fromZoom, fromWidth, toZoom, toWidth]: readonly [number, number, number, number],
): Layer {
  return {
    id,
    type: 'line',
    source: 'tiles',
    'source-layer': layer,
    ...(filter ? { filter } : {}),
    minzoom: Math.max(0, fromZoom - 1),
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': color,
      'line-width': ['interpolate', ['exponential', 1.5], ['zoom'], fromZoom, fromWidth, toZoom, toWidth],
    },
  };
}

function names(schema: TileSchema, palette: Palette, locale: Locale): Layer[] {
  const label = (id: string, { layer, filter }: Selection) => ({
    id,
    type: 'symbol' as const,
    source: 'tiles',
    'source-layer': layer,
    ...(filter ? { filter } : {}),
  });
  const text = {
    'text-field': ['coalesce', ['get', `name:${locale}`], ['get', 'name']],
    'text-font': labelFont,
  } satisfies NonNullable<Extract<Layer, { type: 'symbol' }>['layout']>;
  return [
    {
      ...label('road-names', schema.roadNames),
      minzoom: 13,
      layout: { ...text, 'symbol-placement': 'line', 'text-size': 11 },
      paint: textPaint(palette.city, palette.halo),
    },
    {
      ...label('towns', schema.towns),
      layout: {
        ...text,
        'text-size': ['interpolate', ['linear'], ['zoom'], 4, 10, 12, 14],
        'text-max-width': 8,
        'symbol-sort-key': ['-', ['to-number', ['coalesce', ['get', 'population_rank'], ['get', 'rank']], 0]],
      },
      paint: textPaint(palette.city, palette.halo),
    },
    {
      ...label('countries', schema.countries),
      maxzoom: 8,
      layout: { ...text, 'text-size': 12, 'text-max-width': 7, 'text-letter-spacing': 0.04 },
      paint: textPaint(palette.country, palette.halo),
    },
  ];
}
