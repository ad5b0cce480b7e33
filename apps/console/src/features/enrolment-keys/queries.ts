import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

/** Only for those who manage them: for others the call is refused. */
export function enrolmentKeysQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.organizations.enrolmentKeys(organizationId),
    queryFn: ({ signal }) => api('listEnrolmentKeys', { params: { organizationId }, signal }),
  });
}

export interface NewEnrolmentKey {
  name: string;
  group: string | null;
  maxUses: number;
  expiresAt: string;
}

export function useCreateEnrolmentKey(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewEnrolmentKey) => api('createEnrolmentKey', { params: { organizationId }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: enrolmentKeysQuery(organizationId).queryKey }),
    // The answer holds the key: it is for the dialog alone.
    gcTime: 0,
  });
}

export function useRevokeEnrolmentKey(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (keyId: string) => api('revokeEnrolmentKey', { params: { organizationId, keyId } }),
    onSettled: () => client.invalidateQueries({ queryKey: enrolmentKeysQuery(organizationId).queryKey }),
  });
}
