import { ApiError } from '@pult/contract';
import i18next from 'i18next';
import { checkInvite } from '../../features/accounts/invite.ts';
import { api } from '../../shared/api/client.ts';
import { isAuthorized, setAuthorized } from '../../shared/auth/authorization.ts';
import { paths } from '../../shared/paths.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';

/** Who is logged in; undefined when nobody is, or the session has ended meanwhile. */
async function readOwnEmail(): Promise<string | undefined> {
  if (!isAuthorized()) return undefined;
  try {
    // Asked anew: this browser may have been logged in as somebody else in another tab.
    return (await api('getCurrentUser')).email;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    setAuthorized(false);
    return undefined;
  }
}

/** Where the link of an invite leads (spec, section 2). */
export async function findInviteDestination(token: string | undefined): Promise<string> {
  if (!token) return paths.root();
  const invite = await checkInvite(token);
  if (invite.kind === 'invalid') {
    for (const reason of invite.reasons) {
      showToast({ severity: 'error', summary: reason.replace(/\.$/, ''), id: `invite:${reason}` });
    }
    return paths.root();
  }
  const { email, organization, userExists } = invite;
  const ownEmail = await readOwnEmail();
  if (ownEmail === email) return paths.organizations({ token, orgName: organization });
  if (ownEmail !== undefined) {
    showToast({
      severity: 'error',
      summary: i18next.t('inviteForAnotherUser', { ns: 'app', email }),
      id: 'invite-for-another',
    });
    return paths.root();
  }
  return userExists
    ? paths.login({ redirect: paths.invite({ token }), email })
    : paths.signup({ token, email });
}
