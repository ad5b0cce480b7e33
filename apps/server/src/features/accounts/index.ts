export { createAccountsFeature } from './accounts.feature.ts';
export { createAccountsRepository } from './accounts.repository.ts';
export { createAdministratorsRepository } from './administrators.repository.ts';
export type { Authenticate } from './authenticate.ts';
export { type FirstLoginTiming, firstLoginPath, readFirstLogin } from './first-login.ts';
export type { Login, ProviderSignIn } from './login.service.ts';
export { createPassword, hashPassword, hashPasswordsCheaply, noPassword } from './password.ts';
export { overridePassword } from './password-override.ts';
export type { ProviderLogins } from './provider-logins.ts';
export { lacksRequiredSignIn } from './required-sign-ins.repository.ts';
export type { SessionCookies } from './session-cookies.ts';
export type { SignUpInvites } from './sign-up-invites.ts';
export { type SshKeyOwner, sshCredentials } from './ssh-keys.repository.ts';
export type { SshKeysService } from './ssh-keys.service.ts';
export {
  createIssuedTokens,
  createTokensRepository,
  describeToken,
  type IssuedTokens,
  readTokenWish,
  type TokenWish,
} from './tokens/index.ts';
export { resetTotp } from './totp-reset.ts';
