import { ApiError, type Environments } from '@pult/contract';
import { api } from '../../../shared/api/client.ts';
import { readErrorMessages } from '../../../shared/api/error-messages.ts';

/** Whom an invite is for and into what, or why it is none. */
export type InviteCheck =
  | { kind: 'valid'; token: string; email: string; userExists: boolean; organization: string }
  | { kind: 'invalid'; reasons: string[] };

/** Whether there is a form to sign up with: for a good invite, and without any where anybody may sign up. */
export function hasSignUpForm(
  invite: InviteCheck | undefined,
  environments: Pick<Environments, 'IS_ON_PREMISE'>,
): boolean {
  return invite ? invite.kind === 'valid' : environments.IS_ON_PREMISE === false;
}

/**
 * Asks the server for the invite of a link. Rejects when that says nothing about the invite: a server that is away,
 * out of order or not willing to answer so many questions.
 */
export async function checkInvite(token: string): Promise<InviteCheck> {
  try {
    const answer = await api('validateInvite', { body: { organizationInviteToken: token } });
    const { invitedUserEmail: email, userExists, organizationToJoin } = answer;
    return { kind: 'valid', token, email, userExists, organization: organizationToJoin.name };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
    return { kind: 'invalid', reasons: await readErrorMessages(error) };
  }
}
