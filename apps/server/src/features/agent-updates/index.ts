export { createAgentUpdatesFeature } from './agent-updates.feature.ts';
export type { UpdateProgress } from './update-progress.ts';
