import i18next from 'i18next';
import { api } from '../../shared/api/client.ts';
import { isAuthorized, setAuthorized } from '../../shared/auth/authorization.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';

/** One who is logged in and comes to sign up is logged out and told why (spec, section 2). */
export async function logOutForSignup(): Promise<void> {
  if (!isAuthorized()) return;
  try {
    await api('logout');
  } catch {
    // A session that could not be ended is replaced by the new account's at its login.
  }
  setAuthorized(false);
  showToast({
    severity: 'info',
    summary: i18next.t('accountNotAddedByInvite', { ns: 'app' }),
    id: 'signup-arrival',
  });
}
