export { createAgentUpdatesFeature } from './agent-updates.feature.ts';
export { rotateUpdateKey } from './rotate-update-key.ts';
export type { UpdateProgress } from './update-progress.ts';
