export { createEnvironmentsFeature } from './environments.feature.ts';
