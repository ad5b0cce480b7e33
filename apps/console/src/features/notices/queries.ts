import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import type { NoticesSearch } from './notices-search.ts';

export function noticeRulesQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.notices.rules(organizationId),
    queryFn: ({ signal }) => api('listNoticeRules', { params: { organizationId }, signal }),
  });
}

/** Whom a rule may name. */
export function membersQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.organizations.members(organizationId),
    queryFn: ({ signal }) => api('listMembers', { params: { organizationId }, signal }),
  });
}

export function noticesQuery(organizationId: string, search: NoticesSearch) {
  const query = {
    serial_number: search.serialNumber.trim() || undefined,
    state: search.state,
    page: search.page,
    page_size: search.pageSize,
  };
  return queryOptions({
    queryKey: queryKeys.notices.list(organizationId, query),
    queryFn: ({ signal }) => api('listNotices', { params: { organizationId }, query, signal }),
    // While the next page loads the last one stays, but never one of another organization.
    placeholderData: (previous, earlier) => (earlier?.queryKey[2] === organizationId ? previous : undefined),
  });
}

/** What a person has filled in. */
export interface RuleForm {
  /** Null: the organization. */
  group: string | null;
  enabled: boolean;
  minutes: number;
  members: string[];
  webhookUrl: string;
  newWebhookSecret: boolean;
}

function useRefreshRules(organizationId: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: noticeRulesQuery(organizationId).queryKey });
}

/** `ruleId` undefined: a new one. */
export function useSaveRule(organizationId: string, ruleId: string | undefined) {
  const refresh = useRefreshRules(organizationId);
  return useMutation({
    mutationFn: ({ group, newWebhookSecret, webhookUrl, ...settings }: RuleForm) => {
      const body = { ...settings, webhookUrl: webhookUrl.trim() || null };
      return ruleId === undefined
        ? api('createNoticeRule', { params: { organizationId }, body: { ...body, group } })
        : api('updateNoticeRule', {
            params: { organizationId, ruleId },
            body: { ...body, newWebhookSecret },
          });
    },
    // Refused or not: somebody else may have changed them meanwhile.
    onSettled: refresh,
  });
}

export function useDeleteRule(organizationId: string) {
  const refresh = useRefreshRules(organizationId);
  return useMutation({
    mutationFn: (ruleId: string) => api('deleteNoticeRule', { params: { organizationId, ruleId } }),
    onSettled: refresh,
  });
}

export function useTestRule(organizationId: string) {
  const refresh = useRefreshRules(organizationId);
  return useMutation({
    mutationFn: (ruleId: string) => api('testNoticeRule', { params: { organizationId, ruleId } }),
    onSettled: refresh,
  });
}
