import { z } from 'zod';
import type { Route } from '../route.ts';
import {
  createNoticeRuleRequest,
  listNoticesQuery,
  noticePage,
  noticeRule,
  savedNoticeRule,
  testedNoticeRule,
  updateNoticeRuleRequest,
} from '../schemas/notices.ts';
import { id } from '../schemas/text.ts';

const params = z.object({ organizationId: id });
const ruleParams = z.object({ organizationId: id, ruleId: id });

export const noticeRoutes = {
  listNoticeRules: {
    method: 'GET',
    path: '/api/v1/organizations/{organizationId}/notice-rules/',
    access: 'user',
    permission: 'notices.read',
    params,
    status: 200,
    answer: z.array(noticeRule),
    errors: ['organization_not_found'],
    summary: 'Who is told of lost controllers, by organization and group',
  },
  createNoticeRule: {
    method: 'POST',
    path: '/api/v1/organizations/{organizationId}/notice-rules/',
    access: 'user',
    permission: 'notices.manage',
    params,
    body: createNoticeRuleRequest,
    status: 201,
    answer: savedNoticeRule,
    errors: ['organization_not_found', 'notice_rules_limit_reached', 'notice_rule_exists'],
    summary: 'Tell somebody of lost controllers of the organization or of a group; the nearest rule counts',
  },
  updateNoticeRule: {
    method: 'PATCH',
    path: '/api/v1/organizations/{organizationId}/notice-rules/{ruleId}/',
    access: 'user',
    permission: 'notices.manage',
    params: ruleParams,
    body: updateNoticeRuleRequest,
    status: 200,
    answer: savedNoticeRule,
    errors: ['organization_not_found', 'notice_rule_not_found'],
    summary: 'Change a rule, or the key of its webhook',
  },
  deleteNoticeRule: {
    method: 'DELETE',
    path: '/api/v1/organizations/{organizationId}/notice-rules/{ruleId}/',
    access: 'user',
    permission: 'notices.manage',
    params: ruleParams,
    status: 204,
    errors: ['organization_not_found', 'notice_rule_not_found'],
    summary: 'Delete a rule; the one above counts instead',
  },
  testNoticeRule: {
    method: 'POST',
    path: '/api/v1/organizations/{organizationId}/notice-rules/{ruleId}/test/',
    access: 'user',
    permission: 'notices.manage',
    params: ruleParams,
    status: 200,
    answer: testedNoticeRule,
    errors: ['organization_not_found', 'notice_rule_not_found', 'too_many_attempts'],
    summary: 'Send a test by mail and webhook, and say how the webhook went',
  },
  listNotices: {
    method: 'GET',
    path: '/api/v1/organizations/{organizationId}/notices/',
    access: 'user',
    permission: 'notices.read',
    params,
    query: listNoticesQuery,
    status: 200,
    answer: noticePage,
    errors: ['organization_not_found'],
    summary: 'Controllers that were lost for longer than their rules allow, newest first',
  },
} as const satisfies Record<string, Route>;
