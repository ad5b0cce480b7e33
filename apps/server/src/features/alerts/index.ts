export { createAlertsFeature } from './alerts.feature.ts';
export { type KeptRules, keptRulesRepository } from './rules/kept-rules.repository.ts';
