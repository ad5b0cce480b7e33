import { lifetimes, limits, type SshKey } from '@pult/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import { createId } from '../../platform/ids.ts';
import { isInNetworks } from '../../platform/network.ts';
import type { RateLimiter } from '../../platform/rate-limit.ts';
import { formatFingerprint } from '../../platform/ssh-fingerprint.ts';
import type { SshKeyOwner, SshKeysRepository } from './ssh-keys.repository.ts';
import { readSshPublicKey } from './ssh-public-key.ts';

interface Dependencies {
  repository: SshKeysRepository;
  rateLimiter: RateLimiter;
}

/** Whoever tries key after key learns which of them are registered here, though not by whom. */
const additionsPerHour = 60;
/** One for each connection of the command line, such as those of an inventory to a whole fleet. */
const shortKeysPerHour = 5_000;

/** The public keys of users for the SSH jump host. */
export function createSshKeysService(
  { db, events, clock, mail }: Core,
  { repository, rateLimiter }: Dependencies,
) {
  const keys = {
    async listOf(userId: string): Promise<SshKey[]> {
      const rows = await repository.list(userId);
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        publicKey: `${row.type} ${row.blob.toString('base64')}`,
        fingerprint: formatFingerprint(row.digest),
        createdAt: row.created_at.toISOString(),
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
      }));
    },

    /** A key of somebody else is refused in the same words as one's own: whose it is stays unknown. */
    async addTo(
      transaction: DatabaseTransaction,
      userId: string,
      { name, publicKey }: { name: string; publicKey: string },
    ): Promise<SshKey> {
      const key = readSshPublicKey(publicKey);
      const [id, createdAt] = [createId(), clock.now()];
      const outcome = await repository.add(transaction, { id, userId, name, ...key, createdAt });
      if (outcome === 'full') {
        throw new DomainError('ssh_keys_limit_reached', { limit: limits.sshKeysPerUser });
      }
      if (outcome === 'taken') throw new FieldError('publicKey', 'ssh_key_taken');
      return {
        id,
        name,
        publicKey: `${key.type} ${key.blob.toString('base64')}`,
        fingerprint: formatFingerprint(key.digest),
        createdAt: createdAt.toISOString(),
        lastUsedAt: null,
      };
    },

    /** What the audit log is told of it. */
    async deleteOf(transaction: DatabaseTransaction, userId: string, id: string) {
      const key = await repository.delete(transaction, userId, id);
      if (!key) throw new DomainError('ssh_key_not_found');
      return { name: key.name, fingerprint: formatFingerprint(key.digest) };
    },

    /** Whoever adds keys, to whichever account. */
    requireFewAdditions: (userId: string): Promise<void> =>
      rateLimiter.require([{ key: ['ssh-key', userId], limit: additionsPerHour, window: 3600 }]),
  };

  return {
    ...keys,

    list: ({ userId }: Caller): Promise<SshKey[]> => keys.listOf(userId),

    async add(caller: Caller, request: { name: string; publicKey: string }): Promise<SshKey> {
      const { userId, principal, address } = caller;
      await keys.requireFewAdditions(userId);
      return db.transaction().execute(async (transaction) => {
        const key = await keys.addTo(transaction, userId, request);
        const details = { name: key.name, fingerprint: key.fingerprint };
        await caller.audit('ssh_key.added', { details }, transaction);
        await mail.send('ssh-key-added', principal, { time: clock.now(), address, ...details }, transaction);
        return key;
      });
    },

    /** For one connection of a program: not listed, not mailed, and gone with the session or token. */
    async certify(
      { principal: { userId, email, sessionId } }: Caller,
      publicKey: string,
    ): Promise<{ user: string; fingerprint: string; expiresAt: string }> {
      const key = readSshPublicKey(publicKey);
      await rateLimiter.require([{ key: ['short ssh-key', userId], limit: shortKeysPerHour, window: 3600 }]);
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + lifetimes.shortSshKey * 1000);
      const short = { sessionId, expiresAt };
      const added = { id: createId(), userId, name: 'pult ssh', ...key, createdAt, short };
      const outcome = await db.transaction().execute((transaction) => repository.add(transaction, added));
      if (outcome !== 'added') throw new FieldError('publicKey', 'ssh_key_taken');
      const fingerprint = formatFingerprint(key.digest);
      return { user: email, fingerprint, expiresAt: expiresAt.toISOString() };
    },

    deleteExpired: () => repository.deleteExpired(clock.now()),

    /** Connections that were opened by it end. */
    async delete(caller: Caller, id: string): Promise<void> {
      const { userId, principal, address } = caller;
      await db.transaction().execute(async (transaction) => {
        const details = await keys.deleteOf(transaction, userId, id);
        await caller.audit('ssh_key.deleted', { details }, transaction);
        await mail.send(
          'ssh-key-deleted',
          principal,
          { time: clock.now(), address, ...details },
          transaction,
        );
      });
      events.publish('accessEnded', { userId });
    },

    /** Whose key this is; undefined for one that nobody has registered, or that does not count from this address. */
    async getOwner(digest: Buffer, address: string): Promise<SshKeyOwner | undefined> {
      const owner = await repository.getOwner(digest, clock.now());
      const networks = owner?.networks ?? [];
      return networks.length === 0 || isInNetworks(address, networks) ? owner : undefined;
    },

    /** Of a connection that may have logged in long ago: which organizations are closed to it by now. */
    getClosed: (owner: SshKeyOwner): Promise<string[]> => repository.getClosed(owner),

    /** From whatever address it counts. */
    isRegistered: async (digest: Buffer): Promise<boolean> =>
      (await repository.getOwner(digest, clock.now())) !== undefined,

    /** Notes a login. */
    noteUse: ({ keyId }: SshKeyOwner): Promise<void> => repository.touch(keyId, clock.now()),
  };
}
export type SshKeysService = ReturnType<typeof createSshKeysService>;
