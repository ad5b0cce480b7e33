export { createAgentUpdatesFeature } from './agent-updates.feature.ts';
