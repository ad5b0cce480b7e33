import {
  type AlertRule,
  type CreateAlertRuleRequest,
  isAllowed,
  limits,
  type SavedAlertRule,
  type UpdateAlertRuleRequest,
} from '@pult/contract';
import type { OrganizationCaller } from '../../../platform/access/index.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../../platform/errors.ts';
import type { Core } from '../../../platform/feature.ts';
import { isInScope } from '../../../platform/http/principal.ts';
import { createId } from '../../../platform/ids.ts';
import type { RuleChannels } from './rule-channels.ts';
import type { RulesRepository } from './rules.repository.ts';

/** A new rule covers what went offline this long before it, and nothing older: nobody gets a fleet's past by mail. */
const backdatedMs = 24 * 3600 * 1000;

interface Dependencies {
  repository: RulesRepository;
  channels: RuleChannels;
}

interface RuleChange {
  action: 'alert_rule.created' | 'alert_rule.updated';
  ruleId: string;
  /** Its channels are saved as it says. */
  request: CreateAlertRuleRequest | UpdateAlertRuleRequest;
}

/** Who is notified of controllers that go offline, and how. */
export function createRulesService({ clock, events }: Core, { repository, channels }: Dependencies) {
  const backdated = () => new Date(clock.now().getTime() - backdatedMs);

  function publish({ organization: { id: organizationId } }: OrganizationCaller): void {
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
    caller: OrganizationCaller,
    { action, ruleId, request }: RuleChange,
    write: (transaction: DatabaseTransaction) => Promise<void>,
  ): Promise<SavedAlertRule> {
    const saved = await caller.change(async (transaction, { id: organizationId, name }) => {
      await write(transaction);
      const place = { id: ruleId, organizationId };
      const { shownOnce, audit } = await channels.save(transaction, place, request);
      const rule = await readWhole(transaction, organizationId, ruleId);
      const described = await channels.describe(transaction, rule);
      // That a new rule has a new key goes without saying.
      const details = action === 'alert_rule.created' ? described : { ...described, ...audit };
      await caller.audit(action, { subject: rule.group?.name ?? name, details }, transaction);
      return { ...rule, ...shownOnce };
    });
    publish(caller);
    return saved;
  }

  return {
    async list({ principal, scope, organization }: OrganizationCaller): Promise<AlertRule[]> {
      const { id, userRole, isPartial } = organization;
      const rules = await repository.list(scope, id);
      const mayManage =
        !isPartial && isAllowed(userRole, 'alerts.manage') && isInScope(principal, 'alerts.manage');
      return channels.show(rules, mayManage);
    },

    async create(caller: OrganizationCaller, request: CreateAlertRuleRequest): Promise<SavedAlertRule> {
      const id = createId();
      const { id: organizationId } = caller.organization;
      const { group: groupId, enabled, minutes } = request;
      const change = { action: 'alert_rule.created', ruleId: id, request } as const;
      return save(caller, change, async (transaction) => {
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
      caller: OrganizationCaller,
      ruleId: string,
      request: UpdateAlertRuleRequest,
    ): Promise<SavedAlertRule> {
      const change = { action: 'alert_rule.updated', ruleId, request } as const;
      return save(caller, change, async (transaction) => {
        const rule = await repository.get(transaction, caller.organization.id, ruleId);
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

    async delete(caller: OrganizationCaller, ruleId: string): Promise<void> {
      await caller.change(async (transaction, { id: organizationId, name }) => {
        const rule = await repository.get(transaction, organizationId, ruleId);
        if (!rule) throw new DomainError('alert_rule_not_found');
        await repository.cancelPending(transaction, ruleId);
        await repository.delete(transaction, ruleId);
        await caller.audit('alert_rule.deleted', { subject: rule.group?.name ?? name }, transaction);
      });
      publish(caller);
    },
  };
}
export type RulesService = ReturnType<typeof createRulesService>;
