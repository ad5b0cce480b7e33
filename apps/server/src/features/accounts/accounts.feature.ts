import { createPublicKey } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { Secrets } from '../../config/secrets.ts';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Api } from '../../platform/http/api.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { Outbox } from '../../platform/mail/index.ts';
import type { Sealer } from '../../platform/sealed.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createAccountsRepository } from './accounts.repository.ts';
import { registerAccountRoutes } from './accounts.routes.ts';
import { createAccountsService } from './accounts.service.ts';
import { createAuthenticate } from './authenticate.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { createSessionCookies } from './session-cookies.ts';
import type { SignUpInvites } from './sign-up-invites.ts';

export interface AccountsDependencies {
  config: Config;
  secrets: Secrets;
  db: Database;
  clock: Clock;
  events: Events;
  recordAudit: RecordAuditEvent;
  sealer: Sealer;
  outbox: Outbox;
  invites: SignUpInvites;
}

/** Users, their sessions and their second factor, put together. */
export function createAccountsFeature(dependencies: AccountsDependencies) {
  const { config, secrets, db, clock, events, recordAudit } = dependencies;
  const { publicUrl } = config.http;
  const secure = publicUrl.startsWith('https:');
  const cookies = createSessionCookies({ secure, key: secrets.encryptionKey });
  const jwtKeys = { privateKey: secrets.jwtPrivateKey, publicKey: createPublicKey(secrets.jwtPrivateKey) };
  const repository = createAccountsRepository(db);
  const accounts = createAccountsService({
    repository,
    throttle: createLoginThrottle(db, clock),
    accessTokens: createAccessTokens(jwtKeys, publicUrl, clock),
    events,
    recordAudit,
    clock,
    isTotpKnown: config.settings.totpAuthEnabled,
  });
  const authenticate = createAuthenticate(accounts, { sessionCookie: cookies.sessionName, publicUrl });
  const jobs: RecurringJob[] = [
    { name: 'delete-expired-sessions', schedule: '7 * * * *', run: accounts.deleteExpiredSessions },
  ];

  return {
    repository,
    authenticate,
    requireConfirmation: async (): Promise<void> => {},
    jobs,
    registerRoutes: (api: Api) => registerAccountRoutes(api, accounts, { cookies, authenticate, publicUrl }),
  };
}
