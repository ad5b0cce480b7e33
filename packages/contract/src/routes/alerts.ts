import { z } from 'zod';
import type { Route } from '../route.ts';
import {
  alertPage,
  alertRule,
  createAlertRuleRequest,
  listAlertsQuery,
  savedAlertRule,
  testedAlertRule,
  updateAlertRuleRequest,
} from '../schemas/alerts.ts';
import { id } from '../schemas/text.ts';

const params = z.object({ organizationId: id });
const ruleParams = z.object({ organizationId: id, ruleId: id });

export const alertRoutes = {
  listAlertRules: {
    method: 'GET',
    path: '/api/v1/organizations/{organizationId}/alert-rules/',
    access: 'user',
    permission: 'alerts.read',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params,
    status: 200,
    answer: z.array(alertRule),
    errors: ['organization_not_found'],
    summary: 'Who is notified of offline controllers, by organization and group',
  },
  createAlertRule: {
    method: 'POST',
    path: '/api/v1/organizations/{organizationId}/alert-rules/',
    access: 'user',
    permission: 'alerts.manage',
    on: { organization: 'params.organizationId', at: 'root' },
    params,
    body: createAlertRuleRequest,
    status: 201,
    answer: savedAlertRule,
    errors: ['organization_not_found', 'alert_rules_limit_reached', 'alert_rule_exists'],
    summary:
      'Notify somebody of offline controllers of the organization or of a group; the nearest rule counts',
  },
  updateAlertRule: {
    method: 'PATCH',
    path: '/api/v1/organizations/{organizationId}/alert-rules/{ruleId}/',
    access: 'user',
    permission: 'alerts.manage',
    on: { organization: 'params.organizationId', at: 'root' },
    params: ruleParams,
    body: updateAlertRuleRequest,
    status: 200,
    answer: savedAlertRule,
    errors: ['organization_not_found', 'alert_rule_not_found'],
    summary: 'Change a rule, or the key of its webhook',
  },
  deleteAlertRule: {
    method: 'DELETE',
    path: '/api/v1/organizations/{organizationId}/alert-rules/{ruleId}/',
    access: 'user',
    permission: 'alerts.manage',
    on: { organization: 'params.organizationId', at: 'root' },
    params: ruleParams,
    status: 204,
    errors: ['organization_not_found', 'alert_rule_not_found'],
    summary: 'Delete a rule; the one above counts instead',
  },
  testAlertRule: {
    method: 'POST',
    path: '/api/v1/organizations/{organizationId}/alert-rules/{ruleId}/test/',
    access: 'user',
    permission: 'alerts.manage',
    on: { organization: 'params.organizationId', at: 'root' },
    params: ruleParams,
    status: 200,
    answer: testedAlertRule,
    errors: ['organization_not_found', 'alert_rule_not_found', 'too_many_attempts'],
    summary: 'Send a test by all channels of the rule, and say how each but the mails went',
  },
  listAlerts: {
    method: 'GET',
    path: '/api/v1/organizations/{organizationId}/alerts/',
    access: 'user',
    permission: 'alerts.read',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params,
    query: listAlertsQuery,
    status: 200,
    answer: alertPage,
    errors: ['organization_not_found'],
    summary:
      'Controllers that were offline for longer than their rules allow, or near their budgets; newest first',
  },
} as const satisfies Record<string, Route>;
