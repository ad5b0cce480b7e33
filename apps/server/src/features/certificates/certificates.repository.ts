import type { Text } from '@pult/contract';
import type { Database } from '../../platform/db/schema.ts';
import type { Encryptor } from '../../platform/encryptor.ts';
import type { TlsPair } from '../../platform/http/tls-files.ts';

export interface CertificateState {
  wanted: string;
  pair: TlsPair | undefined;
  issuedAt: Date | null;
  renewAt: Date | null;
  /** Since the last success. */
  failures: number;
  failedAt: Date | null;
  problem: Text | null;
  nextTryAt: Date | null;
}

export type CertificatesRepository = ReturnType<typeof createCertificatesRepository>;

const keyContext = (name: string) => `acme certificate ${name}`;
const accountContext = (directory: string) => `acme account ${directory}`;

/** Certificates of the installation: they belong to no organization. Keys are encrypted. */
export function createCertificatesRepository(db: Database, encryptor: Encryptor) {
  return {
    async get(name: string): Promise<CertificateState | undefined> {
      const row = await db
        .selectFrom('acme_certificates')
        .selectAll()
        .where('name', '=', name)
        .executeTakeFirst();
      if (!row) return undefined;
      const { chain, key } = row;
      return {
        wanted: row.wanted,
        pair: chain && key ? { cert: chain, key: encryptor.decrypt(key, keyContext(name)) } : undefined,
        issuedAt: row.issued_at,
        renewAt: row.renew_at,
        failures: row.failures,
        failedAt: row.failed_at,
        problem: row.problem,
        nextTryAt: row.next_try_at,
      };
    },

    /** Whether this server, of however many, is the one to order it now. */
    async lease(name: string, wanted: string, { now, until }: { now: Date; until: Date }): Promise<boolean> {
      const taken = await db
        .insertInto('acme_certificates')
        .values({ name, wanted, leased_until: until })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ leased_until: until })
            .where((where) =>
              where.or([
                where('acme_certificates.leased_until', 'is', null),
                where('acme_certificates.leased_until', '<', now),
              ]),
            ),
        )
        .returning('name')
        .executeTakeFirst();
      return taken !== undefined;
    },

    async store(
      name: string,
      { wanted, pair, now, renewAt }: { wanted: string; pair: TlsPair; now: Date; renewAt: Date },
    ): Promise<void> {
      await db
        .updateTable('acme_certificates')
        .set({
          wanted,
          chain: pair.cert,
          key: encryptor.encrypt(pair.key, keyContext(name)),
          issued_at: now,
          renew_at: renewAt,
          failures: 0,
          problem: null,
          advice: null,
          next_try_at: null,
          leased_until: null,
        })
        .where('name', '=', name)
        .execute();
    },

    /** Of that certificate, as long as it is in use. */
    async moveRenewal(name: string, { chain, renewAt }: { chain: string; renewAt: Date }): Promise<void> {
      await db
        .updateTable('acme_certificates')
        .set({ renew_at: renewAt })
        .where('name', '=', name)
        .where('chain', '=', chain)
        .execute();
    },

    async fail(
      name: string,
      failure: { now: Date; problem: Text; advice: Text; nextTryAt: Date },
    ): Promise<void> {
      const { now, problem, advice, nextTryAt } = failure;
      await db
        .updateTable('acme_certificates')
        .set(({ eb }) => ({
          failures: eb('failures', '+', 1),
          failed_at: now,
          problem: JSON.stringify(problem),
          advice: JSON.stringify(advice),
          next_try_at: nextTryAt,
          leased_until: null,
        }))
        .where('name', '=', name)
        .execute();
    },

    async release(name: string): Promise<void> {
      await db
        .updateTable('acme_certificates')
        .set({ leased_until: null })
        .where('name', '=', name)
        .execute();
    },

    /** PEM; the first one stands where two servers make one at once. */
    async getAccountKey(directory: string, make: () => Promise<string>, now: Date): Promise<string> {
      const find = () =>
        db.selectFrom('acme_accounts').select('key').where('directory', '=', directory).executeTakeFirst();
      let row = await find();
      if (!row) {
        const key = encryptor.encrypt(await make(), accountContext(directory));
        await db
          .insertInto('acme_accounts')
          .values({ directory, key, created_at: now })
          .onConflict((conflict) => conflict.column('directory').doNothing())
          .execute();
        row = await find();
      }
      if (!row) throw new Error('the account at the authority was removed meanwhile');
      return encryptor.decrypt(row.key, accountContext(directory));
    },
  };
}
