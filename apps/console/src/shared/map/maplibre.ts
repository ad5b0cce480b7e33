import 'maplibre-gl/dist/maplibre-gl.css';
import { addProtocol, setWorkerUrl } from 'maplibre-gl';
// The library cannot find its worker in a bundle by itself: without this the built map stays blank.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { Protocol } from 'pmtiles';

setWorkerUrl(workerUrl);
/** Reads tiles out of one file, by ranges of it. */
addProtocol('pmtiles', new Protocol().tile);

export { AttributionControl, Map as MapLibreMap, ScaleControl } from 'maplibre-gl';
