import { createHash } from 'node:crypto';
import type { AuditAction, AuditDetail } from '@pult/contract';
import { sql } from 'kysely';
import { getActingToken } from './acting-token.ts';
import type { Clock } from './clock.ts';
import type { Database, DatabaseTransaction } from './db/schema.ts';
import { createId } from './ids.ts';

/** By the names that the contract lists: readers have words for them. */
export type AuditDetails = Partial<Record<AuditDetail, string | number | boolean>>;

export interface AuditEvent {
  action: AuditAction;
  userId?: string | undefined;
  organizationId?: string | undefined;
  /** What was acted on, as people know it: an email, a serial number, a name. */
  subject: string;
  /** The client's address. */
  address: string;
  /** Never a secret. */
  details?: AuditDetails;
}

/**
 * Writes a security event; inside the transaction of the act itself where there is one. Equal ones of an organization
 * within one minute are one row with their count.
 */
export type RecordAuditEvent = <Details extends AuditDetails>(
  event: Omit<AuditEvent, 'details'> & { details?: Details & OnlyKnown<Details> },
  transaction?: DatabaseTransaction,
) => Promise<void>;

/** Also of an object that had a name before, where the compiler would let other keys pass. */
export type OnlyKnown<Details> = { [Key in Exclude<keyof Details, AuditDetail>]: never };

/** The same for events that differ in nothing but their moment within one minute of the clock. */
function foldKeyOf(at: Date, values: Readonly<Record<string, string | null>>): Buffer {
  const minute = Math.floor(at.getTime() / 60_000);
  return createHash('sha256')
    .update(JSON.stringify([minute, values]))
    .digest();
}

/** An event of an organization that was written down, in the transaction that does it. */
export type AuditObserver = (
  transaction: DatabaseTransaction,
  event: AuditEvent & { organizationId: string; at: Date; details: AuditDetails },
) => Promise<void>;

export interface AuditLog {
  record: RecordAuditEvent;
  /** From now on it is told of the events of organizations, of equal ones within one minute once. */
  observe(observer: AuditObserver): void;
}

export function createAuditLog(db: Database, clock: Clock): AuditLog {
  const observers: AuditObserver[] = [];

  return {
    observe: (observer) => void observers.push(observer),

    async record(event, transaction) {
      const at = clock.now();
      const token = getActingToken();
      const details = { ...event.details, ...(token === undefined ? {} : { token }) };
      const { organizationId } = event;
      const values = {
        action: event.action,
        user_id: event.userId ?? null,
        organization_id: organizationId ?? null,
        subject: event.subject.slice(0, 255),
        address: event.address,
        details: JSON.stringify(details),
      };
      // One statement, so that none of those that come at the same moment is lost.
      const write = (executor: Database) =>
        executor
          .insertInto('audit_events')
          .values({
            id: createId(),
            at,
            ...values,
            fold_key: organizationId ? foldKeyOf(at, values) : null,
          })
          .onConflict((conflict) =>
            conflict.column('fold_key').doUpdateSet({
              count: sql`audit_events.count + 1`,
              last_at: sql`greatest(audit_events.at, audit_events.last_at, excluded.at)`,
            }),
          )
          .returning('count')
          .executeTakeFirstOrThrow();
      if (!organizationId || observers.length === 0) {
        await write(transaction ?? db);
        return;
      }
      const writeAndTell = async (executor: DatabaseTransaction) => {
        if ((await write(executor)).count > 1) return;
        const written = { ...event, subject: values.subject, organizationId, at, details };
        for (const tell of observers) await tell(executor, written);
      };
      if (transaction) await writeAndTell(transaction);
      else await db.transaction().execute(writeAndTell);
    },
  };
}
