export { createAccountsFeature } from './accounts.feature.ts';
export { createAccountsRepository } from './accounts.repository.ts';
export type { Authenticate } from './authenticate.ts';
export { createFirstAdministrator } from './first-administrator.ts';
export { createPassword, hashPassword } from './password.ts';
export { overridePassword } from './password-override.ts';
export type { SignUpInvites } from './sign-up-invites.ts';
export { resetTotp } from './totp-reset.ts';
