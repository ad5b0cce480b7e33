export { createMapFeature, type MapFeature } from './map.feature.ts';
