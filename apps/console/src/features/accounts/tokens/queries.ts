import type { Permission } from '@pult/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';

export const tokensQuery = queryOptions({
  queryKey: queryKeys.tokens,
  queryFn: ({ signal }) => api('listTokens', { signal }),
});

export interface NewToken {
  name: string;
  scopes: Permission[];
  expiresAt: string | null;
  networks: string[];
}

export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewToken) => api('createToken', { body }),
    onSettled: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
    // The answer holds the token: it is for the dialog alone.
    gcTime: 0,
  });
}

export function useDeleteToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tokenId: string) => api('deleteToken', { params: { tokenId } }),
    onSettled: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}
