import {
  type AccessToken,
  type CreatedToken,
  limits,
  mayManageRole,
  type Role,
  type ServiceAccount,
  type SshKey,
} from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError, RoleRefusal } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import type { RateLimiter } from '../../platform/rate-limit.ts';
import {
  describeToken,
  type IssuedTokens,
  readTokenWish,
  type SshKeysService,
  type TokenWish,
} from '../accounts/index.ts';
import { createScope, type OrganizationAccess } from '../organizations/index.ts';
import type { ServiceAccountsRepository, StoredAccount } from './service-accounts.repository.ts';

interface Dependencies {
  repository: ServiceAccountsRepository;
  tokens: IssuedTokens;
  sshKeys: Pick<SshKeysService, 'listOf' | 'addTo' | 'deleteOf' | 'requireFewAdditions'>;
  access: OrganizationAccess;
  rateLimiter: RateLimiter;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

/** Which account of which organization. */
export interface AccountName {
  organizationId: string;
  accountId: string;
}

/** Who calls, from where. */
export interface Caller {
  principal: Principal;
  address: string;
}

const permission = 'tokens.manage';
const additionsPerHour = 60;

/** Whoever has an account's tokens has its rights: so they are for those who could give each of these. */
function mayManage(role: Role, { roles }: Pick<StoredAccount, 'roles'>): boolean {
  return roles.every((each) => mayManageRole(role, each));
}

/** The accounts by which programs of an organization act, with their tokens and SSH keys. */
export function createServiceAccountsService(dependencies: Dependencies) {
  const { repository, tokens, sshKeys, access, rateLimiter, events, recordAudit, clock } = dependencies;

  /** For reading. */
  async function require(principal: Principal, { organizationId, accountId }: AccountName): Promise<void> {
    await access.require(principal, organizationId, permission);
    const scope = createScope(principal, permission);
    if (!(await repository.find(scope, organizationId, accountId))) {
      throw new DomainError('service_account_not_found');
    }
  }

  /** With `isOwnToo` a program may do it to the account by which it acts. */
  async function change<T>(
    principal: Principal,
    { organizationId, accountId, isOwnToo = false }: AccountName & { isOwnToo?: boolean },
    act: (transaction: DatabaseTransaction, account: StoredAccount) => Promise<T>,
  ): Promise<T> {
    return access.change(principal, organizationId, permission, async (transaction, organization) => {
      const scope = createScope(principal, permission);
      const account = await repository.find(scope, organizationId, accountId, transaction);
      if (!account) throw new DomainError('service_account_not_found');
      const isOwn = isOwnToo && accountId === principal.userId;
      if (!isOwn && !mayManage(organization.userRole, account)) {
        throw new RoleRefusal({ organizationId, subject: account.name });
      }
      return act(transaction, account);
    });
  }

  return {
    async list(principal: Principal, organizationId: string): Promise<ServiceAccount[]> {
      const { userRole } = await access.require(principal, organizationId, permission);
      const scope = createScope(principal, permission);
      const accounts = await repository.list(scope, organizationId, clock.now());
      return accounts.map(({ roles, ...account }) => ({
        ...account,
        isManageable: mayManage(userRole, { roles }),
      }));
    },

    async create(
      { principal, address }: Caller,
      organizationId: string,
      name: string,
    ): Promise<ServiceAccount> {
      const { userId, email: createdBy } = principal;
      return access.change(principal, organizationId, permission, async (transaction) => {
        const limit = limits.serviceAccountsPerOrganization;
        if ((await repository.count(transaction, organizationId)) >= limit) {
          throw new DomainError('service_accounts_limit_reached', { limit });
        }
        if (await repository.findByName(transaction, organizationId, name)) {
          throw new FieldError('name', 'name_taken');
        }
        const [id, createdAt] = [createId(), clock.now()];
        await repository.create(transaction, { id, organizationId, name, createdBy: userId, createdAt });
        const event = { action: 'service_account.created', userId, organizationId, subject: name } as const;
        await recordAudit({ ...event, address }, transaction);
        return {
          ...{ id, name, createdAt: createdAt.toISOString(), createdBy },
          ...{ tokens: 0, sshKeys: 0, grants: 0, lastUsedAt: null, isManageable: true },
        };
      });
    },

    /** What its tokens and keys have opened ends. */
    async delete({ principal, address }: Caller, of: AccountName): Promise<void> {
      const { organizationId, accountId } = of;
      await change(principal, of, async (transaction, { name: subject }) => {
        await repository.end(transaction, accountId, clock.now());
        const event = { action: 'service_account.deleted', organizationId, subject, address } as const;
        await recordAudit({ ...event, userId: principal.userId }, transaction);
      });
      events.publish('accessEnded', { userId: accountId });
    },

    async listTokens(principal: Principal, of: AccountName): Promise<AccessToken[]> {
      await require(principal, of);
      return tokens.list(of.accountId);
    },

    async createToken(
      { principal, address }: Caller,
      of: AccountName,
      wish: TokenWish,
    ): Promise<CreatedToken> {
      const { userId } = principal;
      const { organizationId, accountId } = of;
      const plan = readTokenWish(principal, wish, clock.now());
      await rateLimiter.require([{ key: ['token', userId], limit: additionsPerHour, window: 3600 }]);
      return change(principal, { ...of, isOwnToo: true }, async (transaction, { name: subject }) => {
        const made = await tokens.add(transaction, { userId: accountId, kind: 'service' }, plan, address);
        const event = { action: 'token.created', userId, organizationId, subject, address } as const;
        await recordAudit({ ...event, details: describeToken(made) }, transaction);
        return made;
      });
    },

    async deleteToken({ principal, address }: Caller, of: AccountName, tokenId: string): Promise<void> {
      const { organizationId, accountId } = of;
      await change(principal, { ...of, isOwnToo: true }, async (transaction, { name: subject }) => {
        const name = await tokens.delete(transaction, accountId, tokenId);
        const event = {
          action: 'token.deleted',
          organizationId,
          subject,
          address,
          details: { name },
        } as const;
        await recordAudit({ ...event, userId: principal.userId }, transaction);
      });
      events.publish('accessEnded', { sessionId: tokenId });
    },

    async listKeys(principal: Principal, of: AccountName): Promise<SshKey[]> {
      await require(principal, of);
      return sshKeys.listOf(of.accountId);
    },

    async addKey(
      { principal, address }: Caller,
      of: AccountName,
      request: { name: string; publicKey: string },
    ): Promise<SshKey> {
      const { userId } = principal;
      const { organizationId, accountId } = of;
      await sshKeys.requireFewAdditions(userId);
      return change(principal, of, async (transaction, { name: subject }) => {
        const key = await sshKeys.addTo(transaction, accountId, request);
        const details = { name: key.name, fingerprint: key.fingerprint };
        const event = { action: 'ssh_key.added', userId, organizationId, subject, address, details } as const;
        await recordAudit(event, transaction);
        return key;
      });
    },

    async deleteKey({ principal, address }: Caller, of: AccountName, keyId: string): Promise<void> {
      const { organizationId, accountId } = of;
      await change(principal, of, async (transaction, { name: subject }) => {
        const details = await sshKeys.deleteOf(transaction, accountId, keyId);
        const event = { action: 'ssh_key.deleted', organizationId, subject, address, details } as const;
        await recordAudit({ ...event, userId: principal.userId }, transaction);
      });
      events.publish('accessEnded', { userId: accountId });
    },
  };
}
export type ServiceAccountsService = ReturnType<typeof createServiceAccountsService>;
