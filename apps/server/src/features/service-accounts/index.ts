export { createFirstToken } from './first-token.ts';
export { createServiceAccountsFeature } from './service-accounts.feature.ts';
