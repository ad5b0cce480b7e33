export { createWebhooksFeature } from './webhooks.feature.ts';
