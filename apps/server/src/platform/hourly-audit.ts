import type { RecordAuditEvent } from './audit.ts';
import type { Logger } from './log.ts';
import type { RateLimiter } from './rate-limit.ts';

/**
 * Writes down once an hour what may happen each second; `key` tells which of it is the same. Never rejects: it stands beside a refusal,
 * which goes on whatever becomes of its note.
 */
export function createHourlyAudit(dependencies: {
  rateLimiter: Pick<RateLimiter, 'take'>;
  recordAudit: RecordAuditEvent;
  log: Logger;
}) {
  const { rateLimiter, recordAudit, log } = dependencies;
  return async (key: string[], event: Parameters<RecordAuditEvent>[0]): Promise<void> => {
    try {
      if (await rateLimiter.take({ key, limit: 1, window: 3600 })) await recordAudit(event);
    } catch (error) {
      log.error({ err: error, action: event.action }, 'not written into the audit log');
    }
  };
}
export type HourlyAudit = ReturnType<typeof createHourlyAudit>;
