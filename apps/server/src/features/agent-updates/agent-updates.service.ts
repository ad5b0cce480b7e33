import { type AgentUpdateState, isGivenBy } from '@pult/contract';
import type {
  AskingCaller,
  ControllerCaller,
  Decided,
  Scope,
  ScopedCaller,
} from '../../platform/access/index.ts';
import type { AuditDetails } from '../../platform/audit.ts';
import type { Core } from '../../platform/core.ts';
import { DomainError } from '../../platform/errors.ts';
import { createId } from '../../platform/ids.ts';
import type { ControllerFilters } from '../controllers/index.ts';
import { compareVersions } from '../devices/index.ts';
import type { AgentUpdatesRepository, NewUpdate, UpdateTarget } from './agent-updates.repository.ts';

interface Dependencies {
  repository: AgentUpdatesRepository;
  /** Of the agent that the server hands out. */
  version: string | undefined;
  consider(enrolmentIds: readonly string[]): void;
}

/** Controllers by their serial numbers, or all of an organization that match: one of the two. */
export interface UpdateSelection {
  controllers?: readonly string[] | undefined;
  filter?: ControllerFilters | undefined;
}

/** What the audit log keeps of a long list of serial numbers, in characters. */
const maxNamed = 1000;

export function createAgentUpdatesService(
  { db, events, clock }: Core,
  { repository, version, consider }: Dependencies,
) {
  function compare({ connectionKind, agentVersion }: UpdateTarget): AgentUpdateState['comparison'] {
    if (version === undefined || !isGivenBy(connectionKind, 'updates')) return null;
    const order = compareVersions(agentVersion, version);
    return order === 0 ? 'same' : order < 0 ? 'older' : 'newer';
  }

  const newUpdate = (
    { controllerId, agentVersion: fromVersion }: UpdateTarget,
    toVersion: string,
    { userId }: ScopedCaller,
    mayDowngrade = false,
  ): NewUpdate => ({
    ...{ id: createId(), controllerId, fromVersion, toVersion, mayDowngrade },
    requestedBy: userId,
    createdAt: clock.now(),
  });

  function begin(targets: readonly UpdateTarget[]): void {
    for (const { organizationId, serialNumber } of targets) {
      events.publish('organization', { organizationId, event: { type: 'controller.updated', serialNumber } });
    }
    consider(targets.map(({ enrolmentId }) => enrolmentId));
  }

  /** Throws where the agent of a controller is not to be updated. */
  function requireOutdated(target: UpdateTarget, mayDowngrade: boolean): string {
    const { serialNumber, connectionKind } = target;
    if (version === undefined) throw new DomainError('agent_update_unavailable');
    if (!isGivenBy(connectionKind, 'updates'))
      throw new DomainError('agent_update_not_given', { serialNumber });
    const comparison = compare(target);
    if (comparison === 'same') throw new DomainError('agent_up_to_date', { serialNumber, version });
    if (comparison === 'newer' && !mayDowngrade)
      throw new DomainError('agent_is_newer', { serialNumber, version });
    return version;
  }

  async function getState(scope: Scope, serialNumber: string): Promise<AgentUpdateState> {
    const [target, latest] = await Promise.all([
      repository.getTarget(scope, serialNumber),
      repository.getLatest(scope, serialNumber),
    ]);
    if (!target) throw new DomainError('controller_not_found', { serialNumber });
    return { available: version ?? null, comparison: compare(target), latest };
  }

  return {
    getState: ({ scope, controller }: ControllerCaller): Promise<AgentUpdateState> =>
      getState(scope, controller.serialNumber),

    /** Updates the agent of one controller: at once where it is linked, otherwise as soon as it is. */
    async request(
      caller: ControllerCaller,
      { mayDowngrade = false }: { mayDowngrade?: boolean | undefined },
    ): Promise<AgentUpdateState> {
      const { serialNumber } = caller.controller;
      const target = await repository.getTarget(caller.scope, serialNumber);
      if (!target) throw new DomainError('controller_not_found', { serialNumber });
      const toVersion = requireOutdated(target, mayDowngrade);
      const { organizationId } = target;
      await db.transaction().execute(async (transaction) => {
        const update = newUpdate(target, toVersion, caller, mayDowngrade);
        if ((await repository.createUpdates(transaction, [update])).size === 0)
          throw new DomainError('agent_update_in_progress', { serialNumber });
        const said = { organizationId, details: { version: toVersion } };
        await caller.audit('agent_update.requested', said, transaction);
      });
      begin([target]);
      return getState(caller.scopeFor('controllers.read'), serialNumber);
    },

    /** The same for those of many that have an older version. */
    async requestMany(
      caller: AskingCaller,
      { controllers: named, filter }: UpdateSelection,
    ): Promise<Decided<{ count: number; skipped: number }>> {
      if (version === undefined) throw new DomainError('agent_update_unavailable');
      if (filter?.organization_id) {
        const place = { kind: 'organization', id: filter.organization_id, at: 'anywhere' } as const;
        await caller.require('agents.update', place);
      }
      const chosen = named ? { controllers: [...new Set(named)] } : { filter: filter ?? {} };
      const begun = await db.transaction().execute(async (transaction) => {
        const targets = await repository.lockTargets(transaction, caller.scope, chosen);
        const found = new Set(targets.map(({ serialNumber }) => serialNumber));
        const missing = chosen.controllers?.find((serialNumber) => !found.has(serialNumber));
        if (missing !== undefined) {
          // Which of the refusals it is.
          await caller.require('agents.update', { kind: 'controller', id: missing });
          throw new DomainError('controller_not_found', { serialNumber: missing });
        }
        const older = targets.filter((target) => compare(target) === 'older');
        const updates = older.map((target) => newUpdate(target, version, caller));
        const created = await repository.createUpdates(transaction, updates);
        const updated = older.filter(({ controllerId }) => created.has(controllerId));
        for (const [organizationId, group] of groupBy(updated, (target) => target.organizationId)) {
          const meant: AuditDetails = named
            ? {
                controllers: group
                  .map(({ serialNumber }) => serialNumber)
                  .join(', ')
                  .slice(0, maxNamed),
              }
            : { filter: JSON.stringify(filter).slice(0, maxNamed) };
          const details = { version, count: group.length, ...meant };
          const said = { organizationId, subject: '', details };
          await caller.audit('agent_update.requested', said, transaction);
        }
        return { updated, skipped: targets.length - updated.length };
      });
      begin(begun.updated);
      return caller.decide(caller.scope, { count: begun.updated.length, skipped: begun.skipped });
    },
  };
}
export type AgentUpdatesService = ReturnType<typeof createAgentUpdatesService>;

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
