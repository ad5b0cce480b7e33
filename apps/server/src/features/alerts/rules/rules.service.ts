import {
  type AlertRule,
  type CreateAlertRuleRequest,
  isAllowed,
  limits,
  type SavedAlertRule,
  type UpdateAlertRuleRequest,
} from '@pult/contract';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../../platform/errors.ts';
import type { Events } from '../../../platform/events/events.ts';
import { isInScope, type Principal } from '../../../platform/http/principal.ts';
import { createId } from '../../../platform/ids.ts';
import { createScope, type OrganizationAccess } from '../../organizations/index.ts';
import type { RuleChannels } from './rule-channels.ts';
import type { RulesRepository } from './rules.repository.ts';

/** A new rule covers what went offline this long before it, and nothing older: nobody gets a fleet's past by mail. */
const backdatedMs = 24 * 3600 * 1000;

interface Dependencies {
  repository: RulesRepository;
  channels: RuleChannels;
  access: OrganizationAccess;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

interface RuleChange {
  action: 'alert_rule.created' | 'alert_rule.updated';
  organizationId: string;
  ruleId: string;
  /** Its channels are saved as it says. */
  request: CreateAlertRuleRequest | UpdateAlertRuleRequest;
  address: string;
}

/** Who is notified of controllers that go offline, and how. */
export function createRulesService(dependencies: Dependencies) {
  const { repository, channels, access, events, recordAudit, clock } = dependencies;

  const backdated = () => new Date(clock.now().getTime() - backdatedMs);

  function publish(organizationId: string): void {
    const event = { type: 'alerts.changed', change: 'rules' } as const;
    events.publish('organization', { organizationId, event });
  }

  /** As somebody sees it who may edit it. */
  async function readWhole(
    transaction: DatabaseTransaction,
    organizationId: string,
    id: string,
  ): Promise<AlertRule> {
    const rule = await repository.get(transaction, organizationId, id);
    const [shown] = rule ? await channels.show([rule], true, transaction) : [];
    if (!shown) throw new DomainError('alert_rule_not_found');
    return shown;
  }

  /** Writes a rule, then its channels, and tells of it: in the audit log and on the pages that are open. */
  async function save(
    principal: Principal,
    { action, organizationId, ruleId, request, address }: RuleChange,
    write: (transaction: DatabaseTransaction) => Promise<void>,
  ): Promise<SavedAlertRule> {
    const saved = await access.change(
      principal,
      organizationId,
      'alerts.manage',
      async (transaction, organization) => {
        await write(transaction);
        const { shownOnce, audit } = await channels.save(
          transaction,
          { id: ruleId, organizationId },
          request,
        );
        const rule = await readWhole(transaction, organizationId, ruleId);
        const details = await channels.describe(transaction, rule);
        await recordAudit(
          {
            action,
            userId: principal.userId,
            organizationId,
            subject: rule.group?.name ?? organization.name,
            address,
            // That a new rule has a new key goes without saying.
            details: action === 'alert_rule.created' ? details : { ...details, ...audit },
          },
          transaction,
        );
        return { ...rule, ...shownOnce };
      },
    );
    publish(organizationId);
    return saved;
  }

  return {
    async list(principal: Principal, organizationId: string): Promise<AlertRule[]> {
      const { userRole, isPartial } = await access.require(
        principal,
        organizationId,
        'alerts.read',
        'anywhere',
      );
      const rules = await repository.list(createScope(principal, 'alerts.read'), organizationId);
      const mayManage =
        !isPartial && isAllowed(userRole, 'alerts.manage') && isInScope(principal, 'alerts.manage');
      return channels.show(rules, mayManage);
    },

    async create(
      principal: Principal,
      organizationId: string,
      request: CreateAlertRuleRequest,
      address: string,
    ): Promise<SavedAlertRule> {
      const id = createId();
      const { group: groupId, enabled, minutes } = request;
      const change = { action: 'alert_rule.created', organizationId, ruleId: id, request, address } as const;
      return save(principal, change, async (transaction) => {
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
        const rule = { id, organizationId, groupId, enabled, minutes };
        const times = { createdAt: clock.now(), effectiveFrom: backdated() };
        if (!(await repository.create(transaction, { ...rule, ...times }))) {
          throw new DomainError('alert_rule_exists');
        }
      });
    },

    async update(
      principal: Principal,
      { organizationId, ruleId }: { organizationId: string; ruleId: string },
      request: UpdateAlertRuleRequest,
      address: string,
    ): Promise<SavedAlertRule> {
      const change = { action: 'alert_rule.updated', organizationId, ruleId, request, address } as const;
      return save(principal, change, async (transaction) => {
        const rule = await repository.get(transaction, organizationId, ruleId);
        if (!rule) throw new DomainError('alert_rule_not_found');
        const { enabled = rule.enabled, minutes = rule.minutes } = request;
        const isTurnedOn = enabled && !rule.enabled;
        const effectiveFrom = isTurnedOn
          ? backdated()
          : await repository.getEffectiveFrom(transaction, ruleId);
        await repository.update(transaction, ruleId, { enabled, minutes, effectiveFrom });
        if (!enabled) await repository.cancelPending(transaction, ruleId);
      });
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
