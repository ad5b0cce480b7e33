import { type CreatedEnrolmentKey, type EnrolmentKey, lifetimes, limits } from '@pult/contract';
import type { OrganizationCaller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import { createId, hashToken } from '../../platform/ids.ts';
import { createEnrolmentKey, getKeyState } from './enrolment-key.ts';
import type { EnrolmentKeysRepository } from './enrolment-keys.repository.ts';

type KeyRow = Awaited<ReturnType<EnrolmentKeysRepository['listKeys']>>[number];

/** The keys of an organization, as its people make and revoke them. */
export function createEnrolmentKeysService(
  { clock }: Core,
  { repository }: { repository: EnrolmentKeysRepository },
) {
  function toKey(row: KeyRow): EnrolmentKey {
    const { id, name, prefix, uses, groupId, groupName } = row;
    return {
      id,
      name,
      prefix,
      group: groupId !== null && groupName !== null ? { id: groupId, name: groupName } : null,
      uses,
      maxUses: row.max_uses,
      expiresAt: row.expires_at.toISOString(),
      state: getKeyState(row, clock.now()),
      createdBy: row.creator,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    };
  }

  function readEnd(text: string): Date {
    const end = new Date(text);
    const now = clock.now().getTime();
    // A day of grace for whoever chooses the last day there is.
    const latest = now + (lifetimes.enrolmentKey + 24 * 3600) * 1000;
    if (end.getTime() <= now || end.getTime() > latest)
      throw new FieldError('expiresAt', 'enrolment_key_end');
    return end;
  }

  return {
    async listKeys({ scope, organization }: OrganizationCaller): Promise<EnrolmentKey[]> {
      return (await repository.listKeys(scope, organization.id)).map(toKey);
    },

    async createKey(
      caller: OrganizationCaller,
      request: { name: string; group?: string | null | undefined; maxUses: number; expiresAt: string },
    ): Promise<CreatedEnrolmentKey> {
      const { name, group: groupId = null, maxUses } = request;
      const { key, prefix } = createEnrolmentKey();
      const id = createId();
      return caller.change(async (transaction, { id: organizationId }) => {
        const expiresAt = readEnd(request.expiresAt);
        const createdAt = clock.now();
        const limit = limits.enrolmentKeysPerOrganization;
        if ((await repository.countActive(transaction, organizationId, createdAt)).count >= limit) {
          throw new DomainError('enrolment_keys_limit_reached', { limit });
        }
        if (groupId !== (await repository.holdGroup(transaction, organizationId, groupId))) {
          throw new FieldError('group', 'group_unknown');
        }
        const secret = { prefix, keyHash: hashToken(key) };
        const own = { id, organizationId, createdBy: caller.userId, createdAt };
        await repository.createKey(transaction, { ...own, ...secret, name, groupId, maxUses, expiresAt });
        const row = await repository.getKey(transaction, caller.scope, organizationId, id);
        if (!row) throw new DomainError('organization_not_found'); // the role went a moment ago
        const bounds = { maxUses, expiresAt: expiresAt.toISOString() };
        const details = row.groupName === null ? bounds : { ...bounds, group: row.groupName };
        await caller.audit('enrolment_key.created', { subject: name, details }, transaction);
        return { ...toKey(row), key };
      });
    },

    /** Of one that was revoked already it does nothing. */
    async revokeKey(caller: OrganizationCaller, id: string): Promise<void> {
      await caller.change(async (transaction, { id: organizationId }) => {
        const row = await repository.getKey(transaction, caller.scope, organizationId, id);
        if (!row) throw new DomainError('enrolment_key_not_found');
        if (row.revoked_at) return;
        await repository.revokeKey(transaction, organizationId, id, clock.now());
        const said = { subject: row.name, details: { uses: row.uses } };
        await caller.audit('enrolment_key.revoked', said, transaction);
      });
    },

    /** Run by a job every day. */
    deleteEnded: () =>
      repository.deleteEndedBefore(new Date(clock.now().getTime() - lifetimes.endedEnrolmentKey * 1000)),
  };
}
export type EnrolmentKeysService = ReturnType<typeof createEnrolmentKeysService>;
