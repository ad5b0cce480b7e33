import { type ControllerTraffic, type GroupTrafficBudget, trafficKinds } from '@pult/contract';
import type { ControllerCaller, GroupCaller } from '../../platform/access/index.ts';
import type { AuditDetails } from '../../platform/audit.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Core } from '../../platform/feature.ts';
import type { BudgetsRepository } from './budgets.repository.ts';
import type { TrafficRepository } from './traffic.repository.ts';

/** What the audit log says of a budget: nothing where there is none any more. */
function describeBudget(bytes: number | null): AuditDetails {
  return bytes === null ? {} : { budget: bytes };
}

/** What controllers have moved, and what they may. */
export function createTrafficService(
  { db, events, clock }: Core,
  { repository, budgets }: { repository: TrafficRepository; budgets: BudgetsRepository },
) {
  return {
    async getOfController(
      { scope, controller: { serialNumber } }: ControllerCaller,
      month = clock.now().toISOString().slice(0, 7),
    ): Promise<ControllerTraffic> {
      const [days, budget, isSaving] = await Promise.all([
        repository.listDays(scope, serialNumber, month),
        budgets.getOfController(scope, serialNumber),
        budgets.isSaving(scope, serialNumber),
      ]);
      const total = days.reduce(
        (sum, day) => sum + trafficKinds.reduce((all, kind) => all + day[kind], 0),
        0,
      );
      return { month, days, total, budget, isSaving };
    },

    async setControllerBudget(caller: ControllerCaller, bytes: number | null): Promise<void> {
      const { serialNumber } = caller.controller;
      const organizationId = await db.transaction().execute(async (transaction) => {
        const updated = await budgets.setOfController(transaction, caller.scope, serialNumber, bytes);
        if (!updated) throw new DomainError('controller_not_found', { serialNumber });
        const said = { organizationId: updated.organizationId, details: describeBudget(bytes) };
        await caller.audit('controller.traffic_budget_set', said, transaction);
        return updated.organizationId;
      });
      events.publish('organization', { organizationId, event: { type: 'controller.updated', serialNumber } });
    },

    /** The device is told at once where it is linked, else when it comes back. */
    async setSaver(caller: ControllerCaller, enabled: boolean): Promise<void> {
      const { serialNumber } = caller.controller;
      const { organizationId, enrolmentId } = await db.transaction().execute(async (transaction) => {
        const updated = await budgets.setSaver(transaction, caller.scope, serialNumber, enabled);
        if (!updated) throw new DomainError('controller_not_found', { serialNumber });
        const action = enabled ? 'traffic_saver.enabled' : 'traffic_saver.disabled';
        await caller.audit(action, { organizationId: updated.organizationId }, transaction);
        return updated;
      });
      events.publish('enrolmentChanged', { enrolmentId });
      events.publish('organization', { organizationId, event: { type: 'controller.updated', serialNumber } });
    },

    getOfGroup: ({ organization, group }: GroupCaller): Promise<GroupTrafficBudget> =>
      budgets.getOfGroup(organization.id, group.id),

    async setGroupBudget(caller: GroupCaller, bytes: number | null): Promise<void> {
      const { id: groupId } = caller.group;
      const { id: organizationId } = caller.organization;
      await caller.change(async (transaction) => {
        const group = await budgets.setOfGroup(transaction, organizationId, groupId, bytes);
        if (!group) throw new DomainError('group_not_found');
        const said = { subject: group.name, details: describeBudget(bytes) };
        await caller.audit('group.traffic_budget_set', said, transaction);
      });
      events.publish('organization', {
        organizationId,
        event: { type: 'group.changed', change: 'updated', groupId },
      });
    },
  };
}
export type TrafficService = ReturnType<typeof createTrafficService>;
