import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import type { Encryptor } from '../../platform/encryptor.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Api } from '../../platform/http/api.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { Logger } from '../../platform/log.ts';
import type { Outbox } from '../../platform/mail/index.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import type { OrganizationAccess } from '../organizations/index.ts';
import { createLosses } from './losses.ts';
import { createNoticeMails } from './notice-mails.ts';
import { createNoticesRepository } from './notices.repository.ts';
import { registerNoticeRoutes } from './notices.routes.ts';
import { createNoticesService } from './notices.service.ts';
import { createRuleTest } from './rules/rule-test.service.ts';
import { createRuleWebhooks } from './rules/rule-webhook.ts';
import { createRulesRepository } from './rules/rules.repository.ts';
import { createRulesService } from './rules/rules.service.ts';
import { createWebhooksRepository } from './webhooks/webhooks.repository.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

/** Notices of controllers that were lost and came back, put together. */
export function createNoticesFeature(dependencies: {
  db: Database;
  encryptor: Encryptor;
  outbox: Outbox;
  access: OrganizationAccess;
  events: Events;
  recordAudit: RecordAuditEvent;
  log: Logger;
  clock: Clock;
  publicUrl: string;
  /** NOTICE_WEBHOOK_PRIVATE. */
  allowsPrivateWebhooks: boolean;
}) {
  const { db, encryptor, outbox, access, events, recordAudit, log, clock, publicUrl } = dependencies;
  const allowsPrivate = dependencies.allowsPrivateWebhooks;
  const webhooksRepository = createWebhooksRepository(db);
  const webhooks = createWebhooks({
    db,
    repository: webhooksRepository,
    encryptor,
    events,
    log,
    clock,
    network: { allowsPrivate },
  });
  const mails = createNoticeMails({ publicUrl });
  const losses = createLosses({ db, webhooks, webhooksRepository, mails, outbox, events, clock, publicUrl });

  const rulesRepository = createRulesRepository(db);
  const rules = createRulesService({
    repository: rulesRepository,
    webhooksRepository,
    ruleWebhooks: createRuleWebhooks({ encryptor, allowsPrivate }),
    access,
    events,
    recordAudit,
    clock,
  });
  const testRule = createRuleTest({
    db,
    repository: rulesRepository,
    webhooks,
    mails,
    outbox,
    access,
    rateLimiter: createRateLimiter(db, clock),
    recordAudit,
    clock,
    publicUrl,
  });
  const notices = createNoticesService({ repository: createNoticesRepository(db), access });

  const jobs: RecurringJob[] = [
    { name: 'raise-notices', schedule: '* * * * *', run: losses.look },
    { name: 'resume-notice-webhooks', schedule: '* * * * *', run: webhooks.enqueueDue },
    { name: 'delete-old-notices', schedule: '17 3 * * *', run: losses.deleteForgotten },
  ];

  return {
    jobs,
    queuedJobs: webhooks.queuedJobs,
    registerRoutes: (api: Api): void => registerNoticeRoutes(api, { notices, rules, testRule }, publicUrl),
  };
}
