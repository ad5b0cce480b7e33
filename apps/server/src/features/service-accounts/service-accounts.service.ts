import {
  type AccessToken,
  type CreatedToken,
  limits,
  mayManageRole,
  type Role,
  type ServiceAccount,
  type SshKey,
} from '@pult/contract';
import type { OrganizationCaller } from '../../platform/access/index.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError, RoleRefusal } from '../../platform/errors.ts';
import type { Core } from '../../platform/feature.ts';
import { createId } from '../../platform/ids.ts';
import type { RateLimiter } from '../../platform/rate-limit.ts';
import {
  describeToken,
  type IssuedTokens,
  readTokenWish,
  type SshKeysService,
  type TokenWish,
} from '../accounts/index.ts';
import type { ServiceAccountsRepository, StoredAccount } from './service-accounts.repository.ts';

interface Dependencies {
  repository: ServiceAccountsRepository;
  tokens: IssuedTokens;
  sshKeys: Pick<SshKeysService, 'listOf' | 'addTo' | 'deleteOf' | 'requireFewAdditions'>;
  rateLimiter: RateLimiter;
}

const additionsPerHour = 60;

/** Whoever has an account's tokens has its rights: so they are for those who could give each of these. */
function mayManage(role: Role, { roles }: Pick<StoredAccount, 'roles'>): boolean {
  return roles.every((each) => mayManageRole(role, each));
}

/** The accounts by which programs of an organization act, with their tokens and SSH keys. */
export function createServiceAccountsService({ clock, events }: Core, dependencies: Dependencies) {
  const { repository, tokens, sshKeys, rateLimiter } = dependencies;

  async function find(
    { scope, organization }: OrganizationCaller,
    accountId: string,
    transaction?: DatabaseTransaction,
  ): Promise<StoredAccount> {
    const account = await repository.find(scope, organization.id, accountId, transaction);
    if (!account) throw new DomainError('service_account_not_found');
    return account;
  }

  /** With `isOwnToo` a program may do it to the account by which it acts. */
  async function change<T>(
    caller: OrganizationCaller,
    { accountId, isOwnToo = false }: { accountId: string; isOwnToo?: boolean },
    act: (transaction: DatabaseTransaction, account: StoredAccount) => Promise<T>,
  ): Promise<T> {
    return caller.change(async (transaction, { id: organizationId, userRole }) => {
      const account = await find(caller, accountId, transaction);
      const isOwn = isOwnToo && accountId === caller.userId;
      if (!isOwn && !mayManage(userRole, account)) {
        throw new RoleRefusal({ organizationId, subject: account.name });
      }
      return act(transaction, account);
    });
  }

  return {
    async list({ scope, organization }: OrganizationCaller): Promise<ServiceAccount[]> {
      const accounts = await repository.list(scope, organization.id, clock.now());
      return accounts.map(({ roles, ...account }) => ({
        ...account,
        isManageable: mayManage(organization.userRole, { roles }),
      }));
    },

    async create(caller: OrganizationCaller, name: string): Promise<ServiceAccount> {
      const { userId: createdBy, principal } = caller;
      return caller.change(async (transaction, { id: organizationId }) => {
        const limit = limits.serviceAccountsPerOrganization;
        if ((await repository.count(transaction, organizationId)) >= limit) {
          throw new DomainError('service_accounts_limit_reached', { limit });
        }
        if (await repository.findByName(transaction, organizationId, name)) {
          throw new FieldError('name', 'name_taken');
        }
        const [id, createdAt] = [createId(), clock.now()];
        await repository.create(transaction, { id, organizationId, name, createdBy, createdAt });
        await caller.audit('service_account.created', { subject: name }, transaction);
        return {
          ...{ id, name, createdAt: createdAt.toISOString(), createdBy: principal.email },
          ...{ tokens: 0, sshKeys: 0, grants: 0, lastUsedAt: null, isManageable: true },
        };
      });
    },

    /** What its tokens and keys have opened ends. */
    async delete(caller: OrganizationCaller, accountId: string): Promise<void> {
      await change(caller, { accountId }, async (transaction, { name: subject }) => {
        await repository.end(transaction, accountId, clock.now());
        await caller.audit('service_account.deleted', { subject }, transaction);
      });
      events.publish('accessEnded', { userId: accountId });
    },

    async listTokens(caller: OrganizationCaller, accountId: string): Promise<AccessToken[]> {
      await find(caller, accountId);
      return tokens.list(accountId);
    },

    async createToken(caller: OrganizationCaller, accountId: string, wish: TokenWish): Promise<CreatedToken> {
      const { userId, principal, address } = caller;
      const plan = readTokenWish(principal, wish, clock.now());
      await rateLimiter.require([{ key: ['token', userId], limit: additionsPerHour, window: 3600 }]);
      return change(caller, { accountId, isOwnToo: true }, async (transaction, { name: subject }) => {
        const made = await tokens.add(transaction, { userId: accountId, kind: 'service' }, plan, address);
        await caller.audit('token.created', { subject, details: describeToken(made) }, transaction);
        return made;
      });
    },

    async deleteToken(caller: OrganizationCaller, accountId: string, tokenId: string): Promise<void> {
      await change(caller, { accountId, isOwnToo: true }, async (transaction, { name: subject }) => {
        const name = await tokens.delete(transaction, accountId, tokenId);
        await caller.audit('token.deleted', { subject, details: { name } }, transaction);
      });
      events.publish('accessEnded', { sessionId: tokenId });
    },

    async listKeys(caller: OrganizationCaller, accountId: string): Promise<SshKey[]> {
      await find(caller, accountId);
      return sshKeys.listOf(accountId);
    },

    async addKey(
      caller: OrganizationCaller,
      accountId: string,
      request: { name: string; publicKey: string },
    ): Promise<SshKey> {
      await sshKeys.requireFewAdditions(caller.userId);
      return change(caller, { accountId }, async (transaction, { name: subject }) => {
        const key = await sshKeys.addTo(transaction, accountId, request);
        const details = { name: key.name, fingerprint: key.fingerprint };
        await caller.audit('ssh_key.added', { subject, details }, transaction);
        return key;
      });
    },

    async deleteKey(caller: OrganizationCaller, accountId: string, keyId: string): Promise<void> {
      await change(caller, { accountId }, async (transaction, { name: subject }) => {
        const details = await sshKeys.deleteOf(transaction, accountId, keyId);
        await caller.audit('ssh_key.deleted', { subject, details }, transaction);
      });
      events.publish('accessEnded', { userId: accountId });
    },
  };
}
export type ServiceAccountsService = ReturnType<typeof createServiceAccountsService>;
