export { type ActivationFeature, createActivationFeature } from './activation.feature.ts';
