import type { Encryptor } from '../../platform/encryptor.ts';
import type { Core, Feature } from '../../platform/feature.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
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
export function createAlertsFeature(
  { db, events, recordAudit, log, clock, publicUrl }: Core,
  dependencies: {
    encryptor: Encryptor;
    outbox: Outbox;
    access: OrganizationAccess;
    /** ALERT_WEBHOOK_PRIVATE. */
    allowsPrivateWebhooks: boolean;
  },
): Feature {
  const { encryptor, outbox, access } = dependencies;
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
    name: 'alerts',
    jobs,
    queuedJobs: webhooks.queuedJobs,
    routes: ({ api }) => registerAlertRoutes(api, { alerts, rules, testRule }, publicUrl),
  };
}
