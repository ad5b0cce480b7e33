export { createOverviewFeature } from './overview.feature.ts';
