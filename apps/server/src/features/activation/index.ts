export { createActivationFeature } from './activation.feature.ts';
export { activationRepository } from './activation.repository.ts';
export type { Claims } from './claims.ts';
