export { createActivationFeature } from './activation.feature.ts';
