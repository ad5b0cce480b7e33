import { createPublicKey } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { Secrets } from '../../config/secrets.ts';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import type { Encryptor } from '../../platform/encryptor.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Api } from '../../platform/http/api.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { Outbox } from '../../platform/mail/index.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createAccountMails } from './account-mails.ts';
import { createAccountsRepository } from './accounts.repository.ts';
import { registerCurrentUserRoutes } from './accounts.routes.ts';
import { createAccountsService } from './accounts.service.ts';
import { createAuthenticate } from './authenticate.ts';
import { createConfirmationsRepository } from './confirmations.repository.ts';
import { createConfirmations } from './confirmations.ts';
import { createKnownDevicesRepository } from './known-devices.repository.ts';
import { registerLoginRoutes } from './login.routes.ts';
import { createLoginService } from './login.service.ts';
import { createLoginMails } from './login-mails.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { createPasswordRepository } from './password.repository.ts';
import { registerPasswordRoutes } from './password.routes.ts';
import { createPasswordService } from './password.service.ts';
import { createPasswordResetRepository } from './password-reset.repository.ts';
import { registerPasswordResetRoutes } from './password-reset.routes.ts';
import { createPasswordResetService } from './password-reset.service.ts';
import { createSecondFactor } from './second-factor.ts';
import { createSessionCookies } from './session-cookies.ts';
import { createSessionsRepository } from './sessions.repository.ts';
import { registerSessionRoutes } from './sessions.routes.ts';
import { createSessionsService } from './sessions.service.ts';
import { createSignUpRepository } from './sign-up.repository.ts';
import { registerSignUpRoutes } from './sign-up.routes.ts';
import { createSignUpService } from './sign-up.service.ts';
import type { SignUpInvites } from './sign-up-invites.ts';
import { createSshKeyMails } from './ssh-key-mails.ts';
import { createSshKeysRepository } from './ssh-keys.repository.ts';
import { registerSshKeyRoutes } from './ssh-keys.routes.ts';
import { createSshKeysService } from './ssh-keys.service.ts';
import { createTotpRepository } from './totp.repository.ts';
import { registerTotpRoutes } from './totp.routes.ts';
import { createTotpService } from './totp.service.ts';

export interface AccountsDependencies {
  config: Config;
  secrets: Secrets;
  db: Database;
  clock: Clock;
  events: Events;
  recordAudit: RecordAuditEvent;
  encryptor: Encryptor;
  outbox: Outbox;
  invites: SignUpInvites;
}

/** Users, their sessions and their second factor, put together. */
export function createAccountsFeature(dependencies: AccountsDependencies) {
  const { config, secrets, db, clock, events, recordAudit, encryptor, outbox } = dependencies;
  const { publicUrl } = config.http;
  const { serviceName, totpAuthEnabled: isTotpEnabled } = config.settings;
  const secure = publicUrl.startsWith('https:');
  const cookies = createSessionCookies({ secure, key: secrets.encryptionKey });
  const jwtKeys = { privateKey: secrets.jwtPrivateKey, publicKey: createPublicKey(secrets.jwtPrivateKey) };
  const accessTokens = createAccessTokens(jwtKeys, publicUrl, clock);
  const throttle = createLoginThrottle(db, clock);
  const mails = createLoginMails({ publicUrl, serviceName });

  const repository = createAccountsRepository(db);
  const totpRepository = createTotpRepository(db);
  const confirmationsRepository = createConfirmationsRepository(db);
  const sessionsRepository = createSessionsRepository(db);
  const knownDevices = createKnownDevicesRepository(db);
  const acceptSecondFactor = createSecondFactor({
    repository: totpRepository,
    encryptor,
    clock,
    recordAudit,
  });

  const accounts = createAccountsService({ repository, totp: totpRepository, isTotpEnabled });
  const sessions = createSessionsService({
    db,
    repository: sessionsRepository,
    accessTokens,
    events,
    recordAudit,
    clock,
    isTotpEnabled,
  });
  const login = createLoginService({
    db,
    accounts: repository,
    sessions: sessionsRepository,
    knownDevices,
    throttle,
    acceptSecondFactor,
    accessTokens,
    outbox,
    mails,
    recordAudit,
    clock,
  });
  const confirmations = createConfirmations({
    db,
    repository: confirmationsRepository,
    totp: totpRepository,
    throttle,
    acceptSecondFactor,
    recordAudit,
    clock,
  });
  const totp = createTotpService({
    db,
    repository: totpRepository,
    sessions: sessionsRepository,
    confirmations: confirmationsRepository,
    throttle,
    encryptor,
    outbox,
    mails,
    events,
    recordAudit,
    clock,
    serviceName,
    isAvailable: isTotpEnabled,
  });
  const accountMails = createAccountMails({ publicUrl, serviceName });
  const passwordRepository = createPasswordRepository(db);
  const rateLimiter = createRateLimiter(db, clock);
  const passwords = createPasswordService({
    db,
    repository: passwordRepository,
    sessions: sessionsRepository,
    throttle,
    outbox,
    mails: accountMails,
    events,
    recordAudit,
    clock,
  });
  const passwordResets = createPasswordResetService({
    db,
    repository: createPasswordResetRepository(db),
    accounts: repository,
    passwords: passwordRepository,
    sessions: sessionsRepository,
    rateLimiter,
    outbox,
    mails: accountMails,
    events,
    recordAudit,
    clock,
  });
  const signUps = createSignUpService({
    db,
    repository: createSignUpRepository(db),
    accounts: repository,
    invites: dependencies.invites,
    rateLimiter,
    outbox,
    mails: accountMails,
    recordAudit,
    clock,
    isOpen: !config.settings.isOnPremise,
  });
  const sshKeys = createSshKeysService({
    db,
    repository: createSshKeysRepository(db),
    rateLimiter,
    outbox,
    mails: createSshKeyMails({ publicUrl, serviceName }),
    events,
    recordAudit,
    clock,
  });
  const authenticate = createAuthenticate(sessions, { sessionCookie: cookies.sessionName, publicUrl });

  const jobs: RecurringJob[] = [
    {
      name: 'delete-expired-sessions',
      schedule: '7 * * * *',
      run: async () => {
        await sessions.deleteExpired();
        // The attempts to get a session, and the devices it was used from.
        await throttle.deleteForgotten();
        await login.deleteForgottenDevices();
      },
    },
    { name: 'delete-expired-password-resets', schedule: '12 * * * *', run: passwordResets.deleteExpired },
    { name: 'delete-expired-sign-ups', schedule: '22 * * * *', run: signUps.deleteExpired },
  ];

  return {
    repository,
    authenticate,
    sshKeys,
    requireConfirmation: confirmations.require,
    jobs,
    registerRoutes(api: Api): void {
      registerLoginRoutes(api, { login, sessions }, { cookies, authenticate, publicUrl });
      registerSessionRoutes(api, sessions);
      registerPasswordRoutes(api, passwords, cookies);
      registerPasswordResetRoutes(api, passwordResets, { publicUrl, isMailDelivered: outbox.isDelivering });
      registerSignUpRoutes(api, signUps, publicUrl);
      registerTotpRoutes(api, { totp, confirmations }, cookies);
      registerCurrentUserRoutes(api, accounts);
      registerSshKeyRoutes(api, sshKeys);
    },
  };
}
