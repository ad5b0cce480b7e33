import type { AuditAction } from '@pult/contract';
import type { Clock } from './clock.ts';
import type { Database, DatabaseTransaction } from './db/schema.ts';
import { createId } from './ids.ts';

export interface AuditEvent {
  action: AuditAction;
  userId?: string | undefined;
  organizationId?: string | undefined;
  /** What was acted on, as people know it: an email, a serial number, a name. */
  subject: string;
  /** The client's address. */
  address: string;
  /** Never a secret. */
  details?: Record<string, string | number | boolean | null>;
}

/** Writes a security event; inside the transaction of the act itself where there is one. */
export type RecordAuditEvent = (event: AuditEvent, transaction?: DatabaseTransaction) => Promise<void>;

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
