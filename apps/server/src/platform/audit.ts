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
type OnlyKnown<Details> = { [Key in Exclude<keyof Details, AuditDetail>]: never };

/** The same for events that differ in nothing but their moment within one minute of the clock. */
function foldKeyOf(at: Date, values: Readonly<Record<string, string | null>>): Buffer {
  const minute = Math.floor(at.getTime() / 60_000);
  return createHash('sha256')
    .update(JSON.stringify([minute, values]))
    .digest();
}

export function createAuditLog(db: Database, clock: Clock): RecordAuditEvent {
  return async (event, transaction) => {
    const at = clock.now();
    const token = getActingToken();
    const details = { ...event.details, ...(token === undefined ? {} : { token }) };
    const values = {
      action: event.action,
      user_id: event.userId ?? null,
      organization_id: event.organizationId ?? null,
      subject: event.subject.slice(0, 255),
      address: event.address,
      details: JSON.stringify(details),
    };
    // One statement, so that none of those that come at the same moment is lost.
    await (transaction ?? db)
      .insertInto('audit_events')
      .values({
        id: createId(),
        at,
        ...values,
        fold_key: event.organizationId ? foldKeyOf(at, values) : null,
      })
      .onConflict((conflict) =>
        conflict.column('fold_key').doUpdateSet({
          count: sql`audit_events.count + 1`,
          last_at: sql`greatest(audit_events.at, audit_events.last_at, excluded.at)`,
        }),
      )
      .execute();
  };
}
