import type { Grant, GrantPlace, GrantRole, Role } from '@pult/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { invitesQuery } from '../organizations/index.ts';

/** Of the whole organization, or of the part that the user manages; those that reach a controller where one is named. */
export function grantsQuery(organizationId: string, controller = '') {
  return queryOptions({
    queryKey: queryKeys.organizations.grants(organizationId, controller),
    queryFn: ({ signal }) =>
      api('listGrants', {
        params: { organizationId },
        query: controller === '' ? {} : { controller },
        signal,
      }),
    placeholderData: keepPreviousData,
    // The page says itself that there is no such controller.
    meta: { errors: { inPlace: [404] } },
  });
}

export interface NewAccess {
  /** Whom the organization knows; otherwise the email is invited. */
  subject: Grant['subject'] | undefined;
  email: string;
  scope: GrantPlace;
  /** An owner’s only of an invite to the whole organization. */
  role: Role;
  until: string | null;
}

/** Gives a right, or invites to it who is not there yet; answers the link that no mail could carry. */
export function useGiveAccess(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({
      subject,
      email,
      scope,
      role,
      until,
    }: NewAccess): Promise<{ inviteUrl?: string }> => {
      const params = { organizationId };
      if (subject !== undefined) {
        const { type, id } = subject;
        await api('createGrant', {
          params,
          body: { subject: { type, id }, scope, role: role as GrantRole, until },
        });
        return {};
      }
      const { inviteUrl } = await api('inviteUser', {
        params,
        body: { email, role, ...(scope.type === 'organization' ? {} : { scope, until }) },
      });
      return inviteUrl === undefined ? {} : { inviteUrl };
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: queryKeys.organizations.grantsOf(organizationId) });
      void client.invalidateQueries({ queryKey: invitesQuery(organizationId).queryKey });
    },
  });
}

export function useEndAccess(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (grantId: string) => api('deleteGrant', { params: { organizationId, grantId } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.organizations.grantsOf(organizationId) }),
  });
}
