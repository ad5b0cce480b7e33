import { type Route, type RouteName, routes } from '@pult/contract';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { RecordRefusal } from '../../../platform/http/api.ts';
import type { RateLimiter } from '../../../platform/rate-limit.ts';

const names = new Map(Object.entries<Route>(routes).map(([name, route]) => [route, name as RouteName]));

/**
 * Records that a member tried what their role forbids. One event a minute for each member and call: whoever
 * tries again and again shows up, and cannot fill the log.
 */
export function createRefusalLog(rateLimiter: RateLimiter, recordAudit: RecordAuditEvent): RecordRefusal {
  return async ({ organizationId, subject, permission: needed }, { userId, route, address }) => {
    const name = names.get(route) ?? route.path;
    const key = ['access refused', userId, organizationId, name];
    if (!(await rateLimiter.take({ key, limit: 1, window: 60 }))) return;
    // Readers have words for a permission, not for a call.
    const permission = needed ?? route.permission;
    const details = { route: name, ...(permission && { permission }) };
    await recordAudit({ action: 'access.refused', userId, organizationId, subject, address, details });
  };
}
