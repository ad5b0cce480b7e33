import type { GroupGrant, SignInSettings } from '@pult/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { organizationQuery, organizationsQuery } from '../../../shared/api/queries.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';

/** Only for owners: for others the call is refused. */
export function signInSettingsQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.organizations.signIn(organizationId),
    queryFn: ({ signal }) => api('getSignInSettings', { params: { organizationId }, signal }),
  });
}

export function groupGrantsQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.organizations.groupGrants(organizationId),
    queryFn: ({ signal }) => api('getGroupGrants', { params: { organizationId }, signal }),
  });
}

function useKeepSettings(organizationId: string) {
  const client = useQueryClient();
  return (settings: SignInSettings) => {
    client.setQueryData(signInSettingsQuery(organizationId).queryKey, settings);
    void client.invalidateQueries({ queryKey: organizationQuery(organizationId).queryKey });
    void client.invalidateQueries({ queryKey: organizationsQuery.queryKey });
  };
}

export interface ProviderChange {
  name: string;
  issuer: string;
  clientId: string;
  /** Left out: the one of before stays. */
  clientSecret?: string;
  scopes: string;
  groupsClaim: string;
  secondFactorAcr: string[];
}

export function useSetIdentityProvider(organizationId: string) {
  const keep = useKeepSettings(organizationId);
  return useMutation({
    mutationFn: (body: ProviderChange) => api('setIdentityProvider', { params: { organizationId }, body }),
    onSuccess: keep,
  });
}

export function useDeleteIdentityProvider(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('deleteIdentityProvider', { params: { organizationId } }),
    // With it go the rights that its groups gave.
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.organizations.signIn(organizationId) }),
  });
}

export function useRequireSignIn(organizationId: string) {
  const keep = useKeepSettings(organizationId);
  return useMutation({
    mutationFn: (body: { isRequired: boolean; breakGlassOwner?: string }) =>
      api('requireSignIn', { params: { organizationId }, body }),
    onSuccess: keep,
  });
}

export function usePreviewGroupGrants(organizationId: string) {
  return useMutation({
    mutationFn: (rules: GroupGrant[]) =>
      api('previewGroupGrants', { params: { organizationId }, body: { rules } }),
  });
}

export function useSetGroupGrants(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rules: GroupGrant[]) =>
      api('setGroupGrants', { params: { organizationId }, body: { rules } }),
    onSuccess: (saved) => {
      client.setQueryData(groupGrantsQuery(organizationId).queryKey, saved);
      void client.invalidateQueries({ queryKey: queryKeys.organizations.grantsOf(organizationId) });
    },
  });
}
