import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import type { NewToken } from '../accounts/index.ts';

/** Which account of which organization. */
export interface AccountName {
  organizationId: string;
  accountId: string;
}

export function serviceAccountsQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.organizations.services(organizationId),
    queryFn: ({ signal }) => api('listServiceAccounts', { params: { organizationId }, signal }),
  });
}

export function serviceTokensQuery(params: AccountName) {
  return queryOptions({
    queryKey: queryKeys.organizations.services(params.organizationId, params.accountId, 'tokens'),
    queryFn: ({ signal }) => api('listServiceAccountTokens', { params: { ...params }, signal }),
  });
}

export function serviceKeysQuery(params: AccountName) {
  return queryOptions({
    queryKey: queryKeys.organizations.services(params.organizationId, params.accountId, 'keys'),
    queryFn: ({ signal }) => api('listServiceAccountKeys', { params: { ...params }, signal }),
  });
}

/** Its list has the numbers of what each account has; the rights of one that is deleted go with it. */
function useChange<Body, Answer>(organizationId: string, change: (body: Body) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all(
        [
          queryKeys.organizations.services(organizationId),
          queryKeys.organizations.grantsOf(organizationId),
        ].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
    // An answer may hold a token: it is for the dialog alone.
    gcTime: 0,
  });
}

export const useCreateService = (organizationId: string) =>
  useChange(organizationId, (name: string) =>
    api('createServiceAccount', { params: { organizationId }, body: { name } }),
  );

export const useDeleteService = (params: AccountName) =>
  useChange(params.organizationId, () => api('deleteServiceAccount', { params: { ...params } }));

export const useCreateServiceToken = (params: AccountName) =>
  useChange(params.organizationId, (body: NewToken) =>
    api('createServiceAccountToken', { params: { ...params }, body }),
  );

export const useDeleteServiceToken = (params: AccountName) =>
  useChange(params.organizationId, (tokenId: string) =>
    api('deleteServiceAccountToken', { params: { ...params, tokenId } }),
  );

export const useAddServiceKey = (params: AccountName) =>
  useChange(params.organizationId, (body: { name: string; publicKey: string }) =>
    api('addServiceAccountKey', { params: { ...params }, body }),
  );

export const useDeleteServiceKey = (params: AccountName) =>
  useChange(params.organizationId, (keyId: string) =>
    api('deleteServiceAccountKey', { params: { ...params, keyId } }),
  );
