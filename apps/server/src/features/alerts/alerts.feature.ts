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
import { createAlertMails } from './alert-mails.ts';
import { createAlertsRepository } from './alerts.repository.ts';
import { registerAlertRoutes } from './alerts.routes.ts';
import { createAlertsService } from './alerts.service.ts';
import { createOfflineDetection } from './offline-detection.ts';
import { createRuleTest } from './rules/rule-test.service.ts';
import { createRuleWebhooks } from './rules/rule-webhook.ts';
import { createRulesRepository } from './rules/rules.repository.ts';
import { createRulesService } from './rules/rules.service.ts';
import { createWebhooksRepository } from './webhooks/webhooks.repository.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

/** Alerts about controllers that are offline and come back: wires its parts. */
export function createAlertsFeature(dependencies: {
  db: Database;
  encryptor: Encryptor;
  outbox: Outbox;
  access: OrganizationAccess;
  events: Events;
  recordAudit: RecordAuditEvent;
  log: Logger;
  clock: Clock;
  publicUrl: string;
  /** ALERT_WEBHOOK_PRIVATE. */
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
  const mails = createAlertMails({ publicUrl });
  const offlineDetection = createOfflineDetection({
    db,
    webhooks,
    webhooksRepository,
    mails,
    outbox,
    events,
    clock,
    publicUrl,
  });

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
  const alerts = createAlertsService({ repository: createAlertsRepository(db), access });

  const jobs: RecurringJob[] = [
    { name: 'evaluate-alerts', schedule: '* * * * *', run: offlineDetection.evaluate },
    { name: 'resume-alert-webhooks', schedule: '* * * * *', run: webhooks.enqueueDue },
    { name: 'delete-old-alerts', schedule: '17 3 * * *', run: offlineDetection.deleteForgotten },
  ];

  return {
    jobs,
    queuedJobs: webhooks.queuedJobs,
    registerRoutes: (api: Api): void => registerAlertRoutes(api, { alerts, rules, testRule }, publicUrl),
  };
}
