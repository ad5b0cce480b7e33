export { createAccountsFeature } from './accounts.feature.ts';
export { createAccountsRepository } from './accounts.repository.ts';
export type { Authenticate } from './authenticate.ts';
export { createPassword, hashPassword, hashPasswordsCheaply } from './password.ts';
export { overridePassword } from './password-override.ts';
export type { SignUpInvites } from './sign-up-invites.ts';
export { type SshKeyOwner, sshCredentials } from './ssh-keys.repository.ts';
export type { SshKeysService } from './ssh-keys.service.ts';
export { resetTotp } from './totp-reset.ts';
