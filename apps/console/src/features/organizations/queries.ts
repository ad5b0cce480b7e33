import { ApiError } from '@pult/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { organizationQuery, organizationsQuery } from '../../shared/api/queries.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

/**
 * How many controllers an organization has, and how many of them are online. Beside a list of organizations it is
 * no reason to send anybody away when one of them has just been closed.
 */
export function organizationCountQuery(organizationId: string) {
  const query = { organization_id: organizationId };
  return queryOptions({
    queryKey: queryKeys.controllers.count(query),
    queryFn: ({ signal }) => api('countControllers', { query, signal }),
    meta: { isBackground: true, errors: { inPlace: 'refusals', stays: [403] } },
  });
}

/** What the invite is for; null when it is none. */
export function inviteQuery(token: string) {
  return queryOptions({
    queryKey: queryKeys.invite(token),
    queryFn: async ({ signal }) => {
      try {
        return await api('validateInvite', { body: { organizationInviteToken: token }, signal });
      } catch (error) {
        // An answer like any other here: the dialog tells it, and needs no toast beside it.
        if (error instanceof ApiError && error.status === 400) return null;
        throw error;
      }
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export function useCreateOrganization() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api('createOrganization', { body: { name: name.trim() } }),
    onSuccess: (organization) => {
      client.setQueryData(organizationQuery(organization.id).queryKey, organization);
      return client.invalidateQueries({ queryKey: organizationsQuery.queryKey });
    },
  });
}

export function useAcceptInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => api('acceptInvite', { body: { organizationInviteToken: token } }),
    onSuccess: () => client.invalidateQueries({ queryKey: organizationsQuery.queryKey }),
  });
}

export function useLeaveOrganization(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('leaveOrganization', { params: { organizationId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: organizationsQuery.queryKey }),
  });
}

export function useDeleteOrganization(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('deleteOrganization', { params: { organizationId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: organizationsQuery.queryKey }),
  });
}

export interface OrganizationChange {
  name?: string;
  totpRequired?: boolean;
}

export function useUpdateOrganization(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: OrganizationChange) => api('updateOrganization', { params: { organizationId }, body }),
    onSuccess: (organization) => {
      client.setQueryData(organizationQuery(organizationId).queryKey, organization);
      return client.invalidateQueries({ queryKey: organizationsQuery.queryKey });
    },
  });
}
