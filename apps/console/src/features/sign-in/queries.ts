import { ApiError } from '@pult/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { type Credentials, type SecondFactor, useEnter } from '../accounts/index.ts';

/** The account to be linked, once; its second factor, or one alone. */
export type SignInProof = { account?: Credentials | undefined; factor?: SecondFactor | undefined };

/** As `useLogin`. That the sign-in itself is over, or leads nowhere, is told on its page as well. */
export function useCompleteSignIn() {
  return useMutation({
    mutationFn: ({ account, factor }: SignInProof) =>
      api('completeSignIn', {
        body: {
          ...(account && { username: account.username.trim().toLowerCase(), password: account.password }),
          ...(factor && ('code' in factor ? { totpCode: factor.code } : factor)),
        },
      }),
    meta: { errors: { inPlace: [400, 401, 403, 409], stays: [401, 403] } },
    onSuccess: useEnter(),
  });
}

/** Nothing that is typed now makes it good: it has to begin anew. */
export function isSignInOver(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 403 || error.status === 409);
}

export const identitiesQuery = queryOptions({
  queryKey: queryKeys.identities,
  queryFn: ({ signal }) => api('listIdentities', { signal }),
  meta: { errors: { inPlace: 'refusals' } },
});

export function useDeleteIdentity() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (identityId: string) => api('deleteIdentity', { params: { identityId } }),
    onSettled: () => client.invalidateQueries({ queryKey: identitiesQuery.queryKey }),
  });
}
