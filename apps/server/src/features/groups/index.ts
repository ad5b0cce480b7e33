export { createGroupsFeature, type GroupsFeature } from './groups.feature.ts';
