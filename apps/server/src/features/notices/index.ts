export { createNoticesFeature } from './notices.feature.ts';
