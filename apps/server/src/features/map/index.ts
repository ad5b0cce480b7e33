export { createMapFeature } from './map.feature.ts';
