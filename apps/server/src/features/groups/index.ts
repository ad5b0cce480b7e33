export { createGroupsFeature } from './groups.feature.ts';
