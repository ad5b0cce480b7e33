export { createAlertsFeature } from './alerts.feature.ts';
