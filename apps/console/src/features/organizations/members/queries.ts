import type { GrantPlace, Role } from '@pult/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { organizationQuery, organizationsQuery } from '../../../shared/api/queries.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';

export function membersQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.organizations.members(organizationId),
    queryFn: ({ signal }) => api('listMembers', { params: { organizationId }, signal }),
  });
}

/** Only for those who may invite: for others the call is refused. */
export function invitesQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.organizations.invites(organizationId),
    queryFn: ({ signal }) => api('listInvites', { params: { organizationId }, signal }),
  });
}

interface RoleChange {
  userId: string;
  role: Role;
}

export function useUpdateMember(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, role }: RoleChange) =>
      api('updateMember', { params: { organizationId, userId }, body: { role } }),
    onSettled: async () => {
      // Refused or not, the list may be out of date; one's own role may be what has changed.
      await client.invalidateQueries({ queryKey: membersQuery(organizationId).queryKey });
      void client.invalidateQueries({ queryKey: organizationQuery(organizationId).queryKey });
      void client.invalidateQueries({ queryKey: organizationsQuery.queryKey });
    },
  });
}

export function useRemoveMember(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (userId: string) => api('removeMember', { params: { organizationId, userId } }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: membersQuery(organizationId).queryKey }),
        client.invalidateQueries({ queryKey: queryKeys.organizations.grantsOf(organizationId) }),
      ]),
  });
}

interface InviteRequest {
  email: string;
  role: Role;
  /** Of an invite to a part of the organization. */
  scope?: GrantPlace;
  until?: string | undefined;
}

export function useInviteUser(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InviteRequest) => api('inviteUser', { params: { organizationId }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: invitesQuery(organizationId).queryKey }),
  });
}

export function useRevokeInvite(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (inviteId: string) => api('revokeInvite', { params: { organizationId, inviteId } }),
    onSettled: () => client.invalidateQueries({ queryKey: invitesQuery(organizationId).queryKey }),
  });
}
