import { PMTiles, TileType } from 'pmtiles';
import { beforeEach, expect, test, vi } from 'vitest';
import { palettes } from './palette.ts';
import { loadTilesStyle } from './tiles-style.ts';

/** What the operator's file says of itself. */
let file: { tileType: TileType; layers?: string[] };

beforeEach(() => {
  const header = () => ({ tileType: file.tileType }) as Awaited<ReturnType<PMTiles['getHeader']>>;
  vi.spyOn(PMTiles.prototype, 'getHeader').mockImplementation(async () => header());
  vi.spyOn(PMTiles.prototype, 'getMetadata').mockImplementation(async () => ({
    vector_layers: file.layers?.map((id) => ({ id })),
  }));
});

const load = (scheme: 'light' | 'dark' = 'light', locale: 'ru' | 'en' = 'en') =>
  loadTilesStyle('/tiles.pmtiles', { locale, scheme });

test('a map file with pictures is shown as it is', async () => {
  file = { tileType: TileType.Png };
  const { sources, layers } = await load();
  expect(Object.values(sources)).toMatchObject([
    { type: 'raster', url: `pmtiles://${new URL('/tiles.pmtiles', window.location.href).href}` },
  ]);
  expect(layers.map(({ type }) => type)).toEqual(['raster']);
});

test('a map file with layers that nobody knows is refused', async () => {
  file = { tileType: TileType.Mvt, layers: ['secrets'] };
  await expect(load()).rejects.toThrow('unknown kind');
  file = { tileType: TileType.Mvt };
  await expect(load()).rejects.toThrow('unknown kind');
});

test('a vector map has water under its land, and the colours of the scheme', async () => {
  file = { tileType: TileType.Mvt, layers: ['earth'] };
  for (const scheme of ['light', 'dark'] as const) {
    const { layers } = await load(scheme);
    expect(layers[0]).toMatchObject({
      type: 'background',
      paint: { 'background-color': palettes[scheme].water },
    });
    expect(layers.find(({ id }) => id === 'land')).toMatchObject({
      paint: { 'fill-color': palettes[scheme].land },
    });
  }
});

test('the lines of a vector map grow with the zoom, and none is drawn before it has a width', async () => {
  file = { tileType: TileType.Mvt, layers: ['earth'] };
  const lines = (await load()).layers.filter((layer) => layer.type === 'line');
  expect(lines.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['rails', 'minor-roads', 'major-roads', 'motorways', 'regions', 'borders']),
  );
  for (const { minzoom = 0, paint } of lines) {
    const stops = [paint?.['line-width']].flat().filter((part) => typeof part === 'number');
    const [fromZoom = 0, fromWidth = 0, toZoom = 0, toWidth = 0] = stops;
    expect(fromWidth).toBeGreaterThan(0);
    expect(toWidth).toBeGreaterThan(fromWidth);
    expect(toZoom).toBeGreaterThan(fromZoom);
    expect(minzoom).toBeLessThanOrEqual(fromZoom);
  }
});

test('the names of a vector map are those of the reader’s language, where there are any', async () => {
  file = { tileType: TileType.Mvt, layers: ['earth'] };
  for (const locale of ['ru', 'en'] as const) {
    const names = (await load('light', locale)).layers.filter((layer) => layer.type === 'symbol');
    expect(names.length).toBeGreaterThan(0);
    for (const { layout } of names)
      expect(layout?.['text-field']).toEqual(['coalesce', ['get', `name:${locale}`], ['get', 'name']]);
  }
});
