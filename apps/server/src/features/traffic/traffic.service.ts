import { type ControllerTraffic, type GroupTrafficBudget, trafficKinds } from '@pult/contract';
import type { AuditDetails, RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { GroupsFeature } from '../groups/index.ts';
import { createScope, type OrganizationAccess } from '../organizations/index.ts';
import type { BudgetsRepository } from './budgets.repository.ts';
import type { TrafficRepository } from './traffic.repository.ts';

interface Dependencies {
  db: Database;
  repository: TrafficRepository;
  budgets: BudgetsRepository;
  controllers: Pick<ControllersService, 'requirePermission'>;
  groups: GroupsFeature['groups'];
  access: OrganizationAccess;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

/** What the audit log says of a budget: nothing where there is none any more. */
function describeBudget(bytes: number | null): AuditDetails {
  return bytes === null ? {} : { budget: bytes };
}

/** What controllers have moved, and what they may. */
export function createTrafficService(dependencies: Dependencies) {
  const { db, repository, budgets, controllers, groups, access, events, recordAudit, clock } = dependencies;

  return {
    async getOfController(
      principal: Principal,
      serialNumber: string,
      month = clock.now().toISOString().slice(0, 7),
    ): Promise<ControllerTraffic> {
      await controllers.requirePermission(principal, serialNumber, 'controllers.read');
      const scope = createScope(principal, 'controllers.read');
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

    async setControllerBudget(
      principal: Principal,
      serialNumber: string,
      bytes: number | null,
      address: string,
    ): Promise<void> {
      await controllers.requirePermission(principal, serialNumber, 'traffic.manage');
      const scope = createScope(principal, 'traffic.manage');
      const { organizationId } = await db.transaction().execute(async (transaction) => {
        const updated = await budgets.setOfController(transaction, scope, serialNumber, bytes);
        if (!updated) throw new DomainError('controller_not_found', { serialNumber });
        await recordAudit(
          {
            action: 'controller.traffic_budget_set',
            userId: principal.userId,
            organizationId: updated.organizationId,
            subject: serialNumber,
            address,
            details: describeBudget(bytes),
          },
          transaction,
        );
        return updated;
      });
      events.publish('organization', { organizationId, event: { type: 'controller.updated', serialNumber } });
    },

    /** The device is told at once where it is linked, else when it comes back. */
    async setSaver(
      principal: Principal,
      serialNumber: string,
      enabled: boolean,
      address: string,
    ): Promise<void> {
      await controllers.requirePermission(principal, serialNumber, 'controllers.update');
      const scope = createScope(principal, 'controllers.update');
      const { organizationId, enrolmentId } = await db.transaction().execute(async (transaction) => {
        const updated = await budgets.setSaver(transaction, scope, serialNumber, enabled);
        if (!updated) throw new DomainError('controller_not_found', { serialNumber });
        const action = enabled ? 'traffic_saver.enabled' : 'traffic_saver.disabled';
        const { userId } = principal;
        const { organizationId: id } = updated;
        await recordAudit(
          { action, userId, organizationId: id, subject: serialNumber, address },
          transaction,
        );
        return updated;
      });
      events.publish('enrolmentChanged', { enrolmentId });
      events.publish('organization', { organizationId, event: { type: 'controller.updated', serialNumber } });
    },

    async getOfGroup(principal: Principal, groupId: string): Promise<GroupTrafficBudget> {
      const organizationId = await groups.requireOrganizationId(principal, groupId);
      await access.require(principal, organizationId, 'groups.read', { groupId });
      return budgets.getOfGroup(organizationId, groupId);
    },

    async setGroupBudget(
      principal: Principal,
      groupId: string,
      bytes: number | null,
      address: string,
    ): Promise<void> {
      const organizationId = await groups.requireOrganizationId(principal, groupId);
      await access.change(
        principal,
        organizationId,
        'traffic.manage',
        async (transaction) => {
          const group = await budgets.setOfGroup(transaction, organizationId, groupId, bytes);
          if (!group) throw new DomainError('group_not_found');
          await recordAudit(
            {
              action: 'group.traffic_budget_set',
              userId: principal.userId,
              organizationId,
              subject: group.name,
              address,
              details: describeBudget(bytes),
            },
            transaction,
          );
        },
        { groupId },
      );
      events.publish('organization', {
        organizationId,
        event: { type: 'group.changed', change: 'updated', groupId },
      });
    },
  };
}
export type TrafficService = ReturnType<typeof createTrafficService>;
