import type { TotpScope } from '@pult/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import type { CallErrors } from '../../../shared/api/errors.ts';
import { currentUserQuery } from '../../../shared/api/queries.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import type { SecondFactor } from '../totp/SecondFactorForm.tsx';

export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: ({ signal }) => api('listSessions', { signal }),
});

export const sshKeysQuery = queryOptions({
  queryKey: queryKeys.sshKeys,
  queryFn: ({ signal }) => api('listSshKeys', { signal }),
});

/** What the user is and where they are logged in is no longer as it was. */
function useReadAnew() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  };
}

/** A refused code is told where it was typed, and says nothing of what the user may see. */
const codeErrors: CallErrors = { inPlace: 'refusals', stays: [403] };

export function useChangePassword() {
  const readAnew = useReadAnew();
  return useMutation({
    mutationFn: (body: { oldPassword: string; newPassword: string }) => api('changePassword', { body }),
    meta: { errors: { inPlace: 'refusals' } },
    onSuccess: readAnew,
  });
}

export function useSetUpTotp() {
  return useMutation({ mutationFn: () => api('setUpTotp'), meta: { errors: codeErrors } });
}

export function useActivateTotp() {
  const readAnew = useReadAnew();
  return useMutation({
    mutationFn: (code: string) => api('activateTotp', { body: { code } }),
    meta: { errors: codeErrors },
    onSuccess: readAnew,
  });
}

export function useDisableTotp() {
  const readAnew = useReadAnew();
  return useMutation({
    mutationFn: () => api('disableTotp'),
    meta: { errors: codeErrors },
    onSuccess: readAnew,
  });
}

export function useRegenerateRecoveryCodes() {
  const readAnew = useReadAnew();
  return useMutation({
    mutationFn: () => api('regenerateRecoveryCodes'),
    meta: { errors: codeErrors },
    onSuccess: readAnew,
  });
}

export function useVerifyTotp(scope: TotpScope) {
  return useMutation({
    mutationFn: (factor: SecondFactor) => api('verifyTotp', { body: { scope, ...factor } }),
    meta: { errors: codeErrors },
  });
}

export function useTerminateSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (sessions: string[]) => api('terminateSessions', { body: { sessions } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

export function useAddSshKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; publicKey: string }) => api('addSshKey', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: sshKeysQuery.queryKey }),
  });
}

export function useDeleteSshKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (keyId: string) => api('deleteSshKey', { params: { keyId } }),
    onSettled: () => client.invalidateQueries({ queryKey: sshKeysQuery.queryKey }),
  });
}
