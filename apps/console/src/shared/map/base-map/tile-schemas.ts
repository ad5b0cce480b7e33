import type { FilterSpecification } from 'maplibre-gl';

interface Selection {
  layer: string;
  filter?: FilterSpecification;
}

/** Where a kind of tiles has what the map draws. */
export interface TileSchema {
  /** A layer of vector tiles by which the kind is known. */
  signature: string;
  /** Undefined where the land is all that is not water. */
  land?: Selection;
  green: Selection;
  water: Selection;
  buildings: Selection;
  rails: Selection;
  minorRoads: Selection;
  majorRoads: Selection;
  motorways: Selection;
  regions: Selection;
  borders: Selection;
  roadNames: Selection;
  towns: Selection;
  countries: Selection;
  attribution: string;
}

const openStreetMap = '© <a href="https://www.openstreetmap.org/copyright" target="_blank">OpenStreetMap</a>';

function oneOf(property: string, ...values: string[]): FilterSpecification {
  return ['in', ['get', property], ['literal', values]];
}

/** Protomaps basemap, version 4. */
const protomaps: TileSchema = {
  signature: 'earth',
  land: { layer: 'earth' },
  green: {
    layer: 'landuse',
    filter: oneOf('kind', 'park', 'forest', 'wood', 'grass', 'nature_reserve', 'national_park', 'cemetery'),
  },
  water: { layer: 'water', filter: ['==', ['geometry-type'], 'Polygon'] },
  buildings: { layer: 'buildings' },
  rails: { layer: 'roads', filter: oneOf('kind', 'rail') },
  minorRoads: { layer: 'roads', filter: oneOf('kind', 'minor_road', 'other', 'path') },
  majorRoads: { layer: 'roads', filter: oneOf('kind', 'major_road', 'medium_road') },
  motorways: { layer: 'roads', filter: oneOf('kind', 'highway') },
  regions: { layer: 'boundaries', filter: oneOf('kind', 'region') },
  borders: { layer: 'boundaries', filter: oneOf('kind', 'country') },
  roadNames: { layer: 'roads', filter: oneOf('kind', 'highway', 'major_road', 'medium_road', 'minor_road') },
  towns: { layer: 'places', filter: oneOf('kind', 'locality', 'neighbourhood') },
  countries: { layer: 'places', filter: oneOf('kind', 'country') },
  attribution: openStreetMap,
};

/** OpenMapTiles, as Planetiler and tilemaker make it. */
const openMapTiles: TileSchema = {
  signature: 'transportation',
  green: { layer: 'landcover', filter: oneOf('class', 'wood', 'grass') },
  water: { layer: 'water' },
  buildings: { layer: 'building' },
  rails: { layer: 'transportation', filter: oneOf('class', 'rail') },
  minorRoads: { layer: 'transportation', filter: oneOf('class', 'minor', 'service', 'track', 'path') },
  majorRoads: { layer: 'transportation', filter: oneOf('class', 'primary', 'secondary', 'tertiary') },
  motorways: { layer: 'transportation', filter: oneOf('class', 'motorway', 'trunk') },
  regions: { layer: 'boundary', filter: ['==', ['get', 'admin_level'], 4] },
  borders: { layer: 'boundary', filter: ['==', ['get', 'admin_level'], 2] },
  roadNames: { layer: 'transportation_name' },
  towns: { layer: 'place', filter: oneOf('class', 'city', 'town', 'village', 'suburb') },
  countries: { layer: 'place', filter: oneOf('class', 'country') },
  attribution: openStreetMap,
};

/** The kind of tiles that has these layers; undefined for one that the console cannot draw. */
export function findTileSchema(layers: readonly string[]): TileSchema | undefined {
  return [protomaps, openMapTiles].find(({ signature }) => layers.includes(signature));
}
