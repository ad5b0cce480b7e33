import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import { type AlertsRepository, createAlertsRepository } from './alerts.repository.ts';
import { registerAlertRoutes } from './alerts.routes.ts';
import { createAlertsService } from './alerts.service.ts';
import { createAlertChannels } from './channels/channels.ts';
import { createNotifier } from './notifier.ts';
import { createOfflineDetection } from './offline-detection.ts';
import { createRuleChannels } from './rules/rule-channels.ts';
import { createRuleTest } from './rules/rule-test.service.ts';
import { createRulesRepository } from './rules/rules.repository.ts';
import { createRulesService } from './rules/rules.service.ts';

export interface AlertsFeature extends Feature {
  countFiring: AlertsRepository['countFiring'];
}

/** Alerts about controllers that are offline and come back: wires its parts. */
export function createAlertsFeature(core: Core): AlertsFeature {
  const { db, events, clock, publicUrl, encryptor, deliveries, mail } = core;
  const config = core.config.alerts;
  const network = { allowsPrivate: config.allowsPrivateWebhooks };
  const channels = createAlertChannels({
    encryptor,
    deliveries,
    mail,
    clock,
    publicUrl,
    network,
    telegramApiUrl: config.telegramApiUrl,
  });
  const repository = createRulesRepository(db);
  const notifier = createNotifier(core, {
    channels,
    async onTried(ruleId) {
      const organizationId = await repository.getOrganizationId(ruleId);
      if (organizationId === undefined) return;
      const event = { type: 'alerts.changed', change: 'rules' } as const;
      events.publish('organization', { organizationId, event });
    },
  });
  const offlineDetection = createOfflineDetection(core, { notifier });
  const rules = createRulesService(core, {
    repository,
    channels: createRuleChannels(db, channels, repository),
  });
  const testRule = createRuleTest(core, {
    repository,
    notifier,
    deliveries,
    rateLimiter: createRateLimiter(db, clock),
  });
  const alertsRepository = createAlertsRepository(db);
  const alerts = createAlertsService({ repository: alertsRepository });

  const jobs: RecurringJob[] = [
    { name: 'evaluate-alerts', schedule: '* * * * *', run: offlineDetection.evaluate },
    { name: 'delete-old-alerts', schedule: '17 3 * * *', run: offlineDetection.deleteForgotten },
  ];

  return {
    name: 'alerts',
    countFiring: alertsRepository.countFiring,
    jobs,
    queuedJobs: notifier.queuedJobs,
    start: offlineDetection.start,
    routes: ({ api }) => registerAlertRoutes(api, { alerts, rules, testRule }, publicUrl),
  };
}
