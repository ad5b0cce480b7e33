import { createPublicKey } from 'node:crypto';
import type { Environments } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createAccountsRepository } from './accounts.repository.ts';
import { registerCurrentUserRoutes } from './accounts.routes.ts';
import { createAccountsService } from './accounts.service.ts';
import { createAdministratorsRepository } from './administrators.repository.ts';
import { type Authenticate, createAuthenticate } from './authenticate.ts';
import { createConfirmationsRepository } from './confirmations.repository.ts';
import { type Confirmations, createConfirmations } from './confirmations.ts';
import {
  createDeviceLoginsRepository,
  createDeviceLoginsService,
  registerDeviceLoginRoutes,
} from './device-logins/index.ts';
import {
  createFirstAdministrators,
  type FirstAdministrator,
  type NewInstallation,
} from './first-administrator.ts';
import { createKnownDevicesRepository } from './known-devices.repository.ts';
import { registerLoginRoutes } from './login.routes.ts';
import { createLoginService } from './login.service.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { createPasskeys, registerPasskeyRoutes } from './passkeys/index.ts';
import { createPasswordRepository } from './password.repository.ts';
import { registerPasswordRoutes } from './password.routes.ts';
import { createPasswordService } from './password.service.ts';
import { createPasswordResetRepository } from './password-reset.repository.ts';
import { registerPasswordResetRoutes } from './password-reset.routes.ts';
import { createPasswordResetService } from './password-reset.service.ts';
import type { ProviderLogins } from './provider-logins.ts';
import { createSecondFactor } from './second-factor.ts';
import { createSessionCookies } from './session-cookies.ts';
import { createSessionsRepository } from './sessions.repository.ts';
import { registerSessionRoutes } from './sessions.routes.ts';
import { createSessionsService } from './sessions.service.ts';
import { createSignUpRepository } from './sign-up.repository.ts';
import { registerSignUpRoutes } from './sign-up.routes.ts';
import { createSignUpService } from './sign-up.service.ts';
import type { SignUpInvites } from './sign-up-invites.ts';
import { createSshKeysRepository } from './ssh-keys.repository.ts';
import { registerSshKeyRoutes } from './ssh-keys.routes.ts';
import { createSshKeysService, type SshKeysService } from './ssh-keys.service.ts';
import {
  createIssuedTokens,
  createTokenLogins,
  createTokensRepository,
  createTokensService,
  type IssuedTokens,
  registerTokenRoutes,
} from './tokens/index.ts';
import { createTotpRepository } from './totp.repository.ts';
import { registerTotpRoutes } from './totp.routes.ts';
import { createTotpService } from './totp.service.ts';

interface Dependencies extends NewInstallation {
  invites: SignUpInvites;
}

export interface AccountsFeature extends Feature {
  authenticate: Authenticate;
  providerLogins: ProviderLogins;
  requireConfirmation: Confirmations['require'];
  /** For the jump host, and for service accounts. */
  sshKeys: SshKeysService;
  issuedTokens: IssuedTokens;
  /** What passkeys are good for at this address. */
  passkeyUses: Environments['PASSKEYS'];
  /** The first account with its organization, when there is none; see createFirstAdministrators. */
  createFirstAdministrator(): Promise<FirstAdministrator | undefined>;
}

/** Users, their sessions and their second factor, put together. */
export function createAccountsFeature(core: Core, dependencies: Dependencies): AccountsFeature {
  const { db, clock, publicUrl, config, secrets, mail } = core;
  const { totpAuthEnabled: isTotpEnabled } = config.settings;
  const secure = publicUrl.startsWith('https:');
  const cookies = createSessionCookies({ secure, key: secrets.encryptionKey });
  const jwtKeys = { privateKey: secrets.jwtPrivateKey, publicKey: createPublicKey(secrets.jwtPrivateKey) };
  const rateLimiter = createRateLimiter(db, clock);
  const throttle = createLoginThrottle(db, clock);
  const accessTokens = createAccessTokens(jwtKeys, publicUrl, clock);

  const repository = createAccountsRepository(db);
  const totpRepository = createTotpRepository(db);
  const confirmationsRepository = createConfirmationsRepository(db);
  const sessionsRepository = createSessionsRepository(db);
  const passwordRepository = createPasswordRepository(db);
  const tokensRepository = createTokensRepository(db);
  const known = { accounts: repository, sessions: sessionsRepository, throttle, rateLimiter };

  const passkeys = createPasskeys(core, { totp: totpRepository });
  const acceptSecondFactor = createSecondFactor(core, {
    repository: totpRepository,
    acceptPasskey: passkeys.accept,
  });
  const accounts = createAccountsService(core, { repository, totp: totpRepository });
  const sessions = createSessionsService(core, {
    repository: sessionsRepository,
    accessTokens,
    isTotpEnabled,
  });
  const firstAdministrators = createFirstAdministrators(core, {
    ...dependencies,
    repository,
    administrators: createAdministratorsRepository(db),
  });
  const { firstLogin } = firstAdministrators;
  const login = createLoginService(core, {
    ...known,
    knownDevices: createKnownDevicesRepository(db),
    acceptSecondFactor,
    accessTokens,
    passkeys,
    firstLogin,
  });
  const confirmations = createConfirmations(core, {
    repository: confirmationsRepository,
    totp: totpRepository,
    throttle,
    acceptSecondFactor,
  });
  const totp = createTotpService(core, {
    ...known,
    repository: totpRepository,
    confirmations: confirmationsRepository,
  });
  const passwords = createPasswordService(core, {
    ...known,
    repository: passwordRepository,
  });
  const passwordResets = createPasswordResetService(core, {
    ...known,
    repository: createPasswordResetRepository(db),
    passwords: passwordRepository,
  });
  const signUps = createSignUpService(core, {
    ...known,
    repository: createSignUpRepository(db),
    invites: dependencies.invites,
  });
  const sshKeys = createSshKeysService(core, {
    repository: createSshKeysRepository(db),
    rateLimiter,
  });
  const issuedTokens = createIssuedTokens(core, { repository: tokensRepository });
  const tokens = createTokensService(core, {
    issued: issuedTokens,
    rateLimiter,
  });
  const deviceLogins = createDeviceLoginsService(core, {
    repository: createDeviceLoginsRepository(db),
    tokens: tokensRepository,
    rateLimiter,
  });
  const tokenLogins = createTokenLogins(core, { repository: tokensRepository, rateLimiter, isTotpEnabled });
  const authenticate = createAuthenticate(sessions, tokenLogins, {
    sessionCookie: cookies.sessionName,
    publicUrl,
  });

  const jobs: RecurringJob[] = [
    {
      name: 'delete-expired-sessions',
      schedule: '7 * * * *',
      run: async () => {
        await sessions.deleteExpired();
        await sshKeys.deleteExpired();
        await deviceLogins.deleteExpired();
        // The attempts to get a session, and the devices it was used from.
        await throttle.deleteForgotten();
        await login.deleteForgottenDevices();
      },
    },
    { name: 'delete-expired-password-resets', schedule: '12 * * * *', run: passwordResets.deleteExpired },
    { name: 'delete-expired-sign-ups', schedule: '22 * * * *', run: signUps.deleteExpired },
  ];

  return {
    name: 'accounts',
    authenticate,
    providerLogins: {
      login: login.login,
      loginByProvider: login.loginByProvider,
      cookies,
      getUserByEmail: repository.getUserByEmail,
      addUser: signUps.addUser,
    },
    sshKeys,
    issuedTokens,
    passkeyUses: passkeys.uses,
    requireConfirmation: confirmations.require,
    createFirstAdministrator: firstAdministrators.create,
    start: firstLogin.start,
    stop: firstLogin.stop,
    jobs,
    routes({ api }) {
      registerLoginRoutes(api, { login, sessions }, { cookies, authenticate, publicUrl });
      registerSessionRoutes(api, sessions);
      registerPasswordRoutes(api, passwords, cookies);
      registerPasswordResetRoutes(api, passwordResets, { publicUrl, isMailDelivered: mail.isDelivering });
      registerSignUpRoutes(api, signUps, publicUrl);
      registerTotpRoutes(api, { totp, confirmations }, cookies);
      registerPasskeyRoutes(api, passkeys.service, publicUrl);
      registerCurrentUserRoutes(api, accounts);
      registerSshKeyRoutes(api, sshKeys);
      registerTokenRoutes(api, tokens);
      registerDeviceLoginRoutes(api, deviceLogins, publicUrl);
    },
  };
}
