import type { UpdateAlertRuleRequest } from '@pult/contract';
import { alertKinds, alertStates, limits } from '@pult/contract/values';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { defineList } from '../../shared/search/define-list.ts';
import { ids, oneOf, paging, text } from '../../shared/search/search-parts.ts';
import type { RuleForm } from './channels/channel.ts';
import { alertChannels } from './channels/channels.ts';

export function alertRulesQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.alerts.rules(organizationId),
    queryFn: ({ signal }) => api('listAlertRules', { params: { organizationId }, signal }),
  });
}

/** What the history shows; it lives in the address. */
export const alertsList = defineList('listAlerts', queryKeys.alerts.all, {
  state: oneOf(alertStates),
  kind: oneOf(alertKinds),
  /** Of controllers in any of these groups or under one of them. */
  groupIds: ids(limits.groupsPerFilter),
  serialNumber: text(),
  ...paging(),
});

function useRefreshRules(organizationId: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: alertRulesQuery(organizationId).queryKey });
}

/** `ruleId` undefined: a new one. */
export function useSaveRule(organizationId: string, ruleId: string | undefined) {
  const refresh = useRefreshRules(organizationId);
  return useMutation({
    mutationFn: (form: RuleForm) => {
      const { group, enabled, minutes } = form;
      const isNew = ruleId === undefined;
      const channels = alertChannels.map(({ toBody }) => toBody(form, isNew));
      const body = Object.assign({ enabled, minutes }, ...channels) as UpdateAlertRuleRequest;
      return isNew
        ? api('createAlertRule', { params: { organizationId }, body: { ...body, group: group ?? null } })
        : api('updateAlertRule', { params: { organizationId, ruleId }, body });
    },
    // Refused or not: somebody else may have changed them meanwhile.
    onSettled: refresh,
  });
}

export function useDeleteRule(organizationId: string) {
  const refresh = useRefreshRules(organizationId);
  return useMutation({
    mutationFn: (ruleId: string) => api('deleteAlertRule', { params: { organizationId, ruleId } }),
    onSettled: refresh,
  });
}

export function useTestRule(organizationId: string) {
  const refresh = useRefreshRules(organizationId);
  return useMutation({
    mutationFn: (ruleId: string) => api('testAlertRule', { params: { organizationId, ruleId } }),
    onSettled: refresh,
  });
}
