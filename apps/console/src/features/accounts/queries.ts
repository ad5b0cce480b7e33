import type { PasskeyProof } from '@pult/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import type { CallErrors } from '../../shared/api/errors.ts';
import { enter } from './enter.ts';

export interface Credentials {
  username: string;
  password: string;
}

interface Login extends Credentials {
  totpCode?: string;
  recoveryCode?: string;
  passkey?: PasskeyProof;
}

export function useEnter() {
  const client = useQueryClient();
  return ({ access }: { access: string }) => {
    if (access) enter(client);
  };
}

/** Wrong ones, told by the form; nobody is logged out by them. */
const loginErrors: CallErrors = { inPlace: [400, 401], stays: [401] };

/** A passkey alone; as `useLogin` otherwise. */
export function useLoginByPasskey() {
  return useMutation({
    mutationFn: (passkey: PasskeyProof) => api('logInByPasskey', { body: { passkey } }),
    meta: { errors: loginErrors },
    onSuccess: useEnter(),
  });
}

/**
 * A login that returns `access` makes the user authorized (spec-coverage: A login answer with access sets authorized).
 * The username is lower-cased (spec-coverage: Login lower-cases the username).
 */
export function useLogin() {
  return useMutation({
    mutationFn: ({ username, ...rest }: Login) =>
      api('login', { body: { username: username.trim().toLowerCase(), ...rest } }),
    meta: { errors: loginErrors },
    onSuccess: useEnter(),
  });
}

interface SignUp {
  email: string;
  password: string;
  /** Of the invite; without one the account waits for its mailed link. */
  inviteToken: string | undefined;
}

/** Sign-up lower-cases the email (spec-coverage: Login lower-cases the username; sign-up lower-cases the email). */
export function useSignUp() {
  return useMutation({
    mutationFn: ({ email, password, inviteToken }: SignUp) =>
      api('signUp', {
        body: {
          userEmail: email.trim().toLowerCase(),
          userPassword: password,
          ...(inviteToken === undefined ? {} : { organizationInviteToken: inviteToken }),
        },
      }),
    meta: { errors: { inPlace: [400, 401] } },
  });
}

export function useConfirmSignUp() {
  return useMutation({
    mutationFn: (body: { token: string; password: string }) => api('confirmSignUp', { body }),
  });
}

export function useRequestPasswordReset() {
  return useMutation({
    mutationFn: (email: string) =>
      api('requestPasswordReset', { body: { email: email.trim().toLowerCase() } }),
  });
}

export function useConfirmPasswordReset() {
  return useMutation({
    mutationFn: (body: { uid: string; token: string; newPassword: string }) =>
      api('confirmPasswordReset', { body }),
  });
}
