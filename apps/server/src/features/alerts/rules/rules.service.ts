import { type AlertRule, isAllowed, limits, type SavedAlertRule } from '@pult/contract';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { DomainError, FieldError } from '../../../platform/errors.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import { createId } from '../../../platform/ids.ts';
import { createScope, type OrganizationAccess } from '../../organizations/index.ts';
import type { WebhooksRepository } from '../webhooks/webhooks.repository.ts';
import type { RuleWebhooks } from './rule-webhook.ts';
import type { EncryptedRule, RulesRepository } from './rules.repository.ts';

/** A new rule covers what went offline this long before it, and nothing older: nobody gets a fleet's past by mail. */
const backdatedMs = 24 * 3600 * 1000;

interface Dependencies {
  repository: RulesRepository;
  webhooksRepository: WebhooksRepository;
  ruleWebhooks: RuleWebhooks;
  access: OrganizationAccess;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

export interface RuleChanges {
  enabled?: boolean | undefined;
  minutes?: number | undefined;
  members?: string[] | undefined;
  webhookUrl?: string | null | undefined;
  newWebhookSecret?: boolean | undefined;
}

/** Who is notified of controllers that go offline, and how. */
export function createRulesService(dependencies: Dependencies) {
  const { repository, webhooksRepository, ruleWebhooks, access, events, recordAudit, clock } = dependencies;

  /** `isWhole`: for those who may edit it. */
  function open({ webhook, lastResult, ...rule }: EncryptedRule, isWhole: boolean): AlertRule {
    const target = ruleWebhooks.open(rule.id, webhook);
    if (!target) return { ...rule, webhook: null };
    const url = isWhole ? target.url : `${new URL(target.url).origin}/…`;
    return { ...rule, webhook: { url, lastResult } };
  }

  /** What the audit log says of a rule: never where its webhook goes, but to whom. */
  function describe({ webhook, ...rule }: AlertRule): Record<string, string | number | boolean> {
    return {
      enabled: rule.enabled,
      minutes: rule.minutes,
      members: rule.members.length,
      ...(webhook ? { webhookHost: new URL(webhook.url).host } : {}),
    };
  }

  const backdated = () => new Date(clock.now().getTime() - backdatedMs);

  function publish(organizationId: string): void {
    const event = { type: 'alerts.changed', change: 'rules' } as const;
    events.publish('organization', { organizationId, event });
  }

  return {
    async list(principal: Principal, organizationId: string): Promise<AlertRule[]> {
      const { userRole } = await access.require(principal, organizationId, 'alerts.read');
      const rules = await repository.list(createScope(principal, 'alerts.read'), organizationId);
      const isWhole = isAllowed(userRole, 'alerts.manage');
      return rules.map((rule) => open(rule, isWhole));
    },

    async create(
      principal: Principal,
      organizationId: string,
      request: {
        group: string | null;
        enabled: boolean;
        minutes: number;
        members: string[];
        webhookUrl: string | null;
      },
      address: string,
    ): Promise<SavedAlertRule> {
      const id = createId();
      const { group: groupId, enabled, minutes } = request;
      const saved = await access.change(
        principal,
        organizationId,
        'alerts.manage',
        async (transaction, organization) => {
          if ((await repository.count(transaction, organizationId)) >= limits.alertRulesPerOrganization) {
            throw new DomainError('alert_rules_limit_reached', {
              limit: limits.alertRulesPerOrganization,
            });
          }
          if (
            groupId !== null &&
            (await repository.getGroupName(transaction, organizationId, groupId)) === undefined
          ) {
            throw new FieldError('group', 'group_unknown');
          }
          const { encrypted, newSecret } = ruleWebhooks.change(id, null, {
            url: request.webhookUrl,
            newSecret: true,
          });
          const rule = { id, organizationId, groupId, enabled, minutes, webhook: encrypted };
          const times = { createdAt: clock.now(), effectiveFrom: backdated() };
          if (!(await repository.create(transaction, { ...rule, ...times }))) {
            throw new DomainError('alert_rule_exists');
          }
          if (!(await repository.setMembers(transaction, organizationId, id, request.members))) {
            throw new FieldError('members', 'member_unknown');
          }
          const stored = await repository.get(transaction, organizationId, id);
          if (!stored) throw new DomainError('alert_rule_not_found');
          const opened = open(stored, true);
          await recordAudit(
            {
              action: 'alert_rule.created',
              userId: principal.userId,
              organizationId,
              subject: stored.group?.name ?? organization.name,
              address,
              details: describe(opened),
            },
            transaction,
          );
          return { ...opened, ...(newSecret === undefined ? {} : { webhookSecret: newSecret }) };
        },
      );
      publish(organizationId);
      return saved;
    },

    async update(
      principal: Principal,
      { organizationId, ruleId }: { organizationId: string; ruleId: string },
      changes: RuleChanges,
      address: string,
    ): Promise<SavedAlertRule> {
      const saved = await access.change(
        principal,
        organizationId,
        'alerts.manage',
        async (transaction, organization) => {
          const rule = await repository.get(transaction, organizationId, ruleId);
          if (!rule) throw new DomainError('alert_rule_not_found');
          const { enabled = rule.enabled, minutes = rule.minutes, members } = changes;
          const { encrypted, newSecret } = ruleWebhooks.change(ruleId, rule.webhook, {
            url: changes.webhookUrl,
            newSecret: changes.newWebhookSecret ?? false,
          });
          const isTurnedOn = enabled && !rule.enabled;
          const effectiveFrom = isTurnedOn
            ? backdated()
            : await repository.getEffectiveFrom(transaction, ruleId);
          await repository.update(transaction, ruleId, {
            enabled,
            minutes,
            webhook: encrypted,
            effectiveFrom,
          });
          if (members && !(await repository.setMembers(transaction, organizationId, ruleId, members))) {
            throw new FieldError('members', 'member_unknown');
          }
          if (!enabled) await repository.cancelPending(transaction, ruleId);
          if (encrypted === null) await webhooksRepository.deleteOf(transaction, ruleId);
          const stored = await repository.get(transaction, organizationId, ruleId);
          if (!stored) throw new DomainError('alert_rule_not_found');
          const opened = open(stored, true);
          await recordAudit(
            {
              action: 'alert_rule.updated',
              userId: principal.userId,
              organizationId,
              subject: stored.group?.name ?? organization.name,
              address,
              details: {
                ...describe(opened),
                ...(newSecret === undefined ? {} : { newWebhookSecret: true }),
              },
            },
            transaction,
          );
          return { ...opened, ...(newSecret === undefined ? {} : { webhookSecret: newSecret }) };
        },
      );
      publish(organizationId);
      return saved;
    },

    async delete(
      principal: Principal,
      { organizationId, ruleId }: { organizationId: string; ruleId: string },
      address: string,
    ): Promise<void> {
      await access.change(principal, organizationId, 'alerts.manage', async (transaction, organization) => {
        const rule = await repository.get(transaction, organizationId, ruleId);
        if (!rule) throw new DomainError('alert_rule_not_found');
        await repository.cancelPending(transaction, ruleId);
        await repository.delete(transaction, ruleId);
        await recordAudit(
          {
            action: 'alert_rule.deleted',
            userId: principal.userId,
            organizationId,
            subject: rule.group?.name ?? organization.name,
            address,
          },
          transaction,
        );
      });
      publish(organizationId);
    },
  };
}
export type RulesService = ReturnType<typeof createRulesService>;
