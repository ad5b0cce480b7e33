import { z } from 'zod';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';
import {
  attachControllersRequest,
  createGroupRequest,
  detachControllersRequest,
  group,
  listGroupsQuery,
  movedControllers,
  updateGroupRequest,
} from '../schemas/groups.ts';
import { id } from '../schemas/text.ts';

const params = z.object({ groupId: id });

export const groupRoutes = {
  listGroups: {
    method: 'GET',
    path: '/api/v1/groups/',
    access: 'user',
    permission: 'groups.read',
    query: listGroupsQuery,
    status: 200,
    answer: z.array(group),
    summary: 'The trees of groups of the organizations of the user, with how many controllers match in each',
  },
  createGroup: {
    method: 'POST',
    path: '/api/v1/groups/',
    access: 'user',
    permission: 'groups.manage',
    body: createGroupRequest,
    status: 201,
    answer: group,
    errors: ['organization_not_found', 'group_too_deep', 'groups_limit_reached'],
    summary: 'Create a group',
  },
  updateGroup: {
    method: 'PATCH',
    path: '/api/v1/groups/{groupId}/',
    access: 'user',
    permission: 'groups.manage',
    params,
    body: updateGroupRequest,
    status: 200,
    answer: group,
    errors: ['group_not_found', 'group_cycle', 'group_too_deep'],
    summary: 'Rename a group, or move it with all that is in it',
  },
  deleteGroup: {
    method: 'DELETE',
    path: '/api/v1/groups/{groupId}/',
    access: 'user',
    permission: 'groups.manage',
    params,
    status: 204,
    errors: ['group_not_found'],
    summary: 'Delete a group with its subgroups; their controllers have no group then',
  },
  attachControllers: {
    method: 'POST',
    path: '/api/v1/groups/{groupId}/attach-controllers/',
    access: 'user',
    permission: 'groups.attach',
    params,
    body: attachControllersRequest,
    maxBodyBytes: limits.bulkBodyBytes,
    status: 200,
    answer: movedControllers,
    errors: ['group_not_found', 'controller_not_found'],
    summary: 'Put controllers of the same organization into the group, all or none of them',
  },
  detachControllers: {
    method: 'POST',
    path: '/api/v1/groups-detach-from-controllers/',
    access: 'user',
    permission: 'groups.attach',
    body: detachControllersRequest,
    maxBodyBytes: limits.bulkBodyBytes,
    status: 200,
    answer: movedControllers,
    errors: ['controller_not_found', 'organization_not_found'],
    summary: 'Take controllers of one organization out of their groups, all or none of them',
  },
} as const satisfies Record<string, Route>;
