import type { AuditAction, AuditDetail } from '@pult/contract';
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

/** Writes a security event; inside the transaction of the act itself where there is one. */
export type RecordAuditEvent = <Details extends AuditDetails>(
  event: Omit<AuditEvent, 'details'> & { details?: Details & OnlyKnown<Details> },
  transaction?: DatabaseTransaction,
) => Promise<void>;

/** Also of an object that had a name before, where the compiler would let other keys pass. */
type OnlyKnown<Details> = { [Key in Exclude<keyof Details, AuditDetail>]: never };

export function createAuditLog(db: Database, clock: Clock): RecordAuditEvent {
  return async (event, transaction) => {
    await (transaction ?? db)
      .insertInto('audit_events')
      .values({
        id: createId(),
        at: clock.now(),
        action: event.action,
        user_id: event.userId ?? null,
        organization_id: event.organizationId ?? null,
        subject: event.subject.slice(0, 255),
        address: event.address,
        details: JSON.stringify(event.details ?? {}),
      })
      .execute();
  };
}
