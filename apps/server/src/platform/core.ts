import { createAccess } from './access/index.ts';
import { type AuditLog, createAuditLog } from './audit.ts';
import type { Core } from './feature.ts';

/** What every feature may use, and by what one of them is told of the audit log’s events. */
export function createCore(given: Omit<Core, 'access' | 'recordAudit'>): {
  core: Core;
  observeAudit: AuditLog['observe'];
} {
  const { record: recordAudit, observe: observeAudit } = createAuditLog(given.db, given.clock);
  return { core: { ...given, access: createAccess(given.db), recordAudit }, observeAudit };
}
