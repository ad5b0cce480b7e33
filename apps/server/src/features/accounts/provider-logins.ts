import type { AccountsRepository } from './accounts.repository.ts';
import type { LoginService } from './login.service.ts';
import type { SessionCookies } from './session-cookies.ts';
import type { SignUpService } from './sign-up.service.ts';

/** What sign-in by a provider needs of accounts. */
export interface ProviderLogins extends Pick<LoginService, 'login' | 'loginByProvider'> {
  cookies: SessionCookies;
  getUserByEmail: AccountsRepository['getUserByEmail'];
  /** One whose password nobody knows until it is set by a mailed link. False when the email has an account. */
  addUser: SignUpService['addUser'];
}
