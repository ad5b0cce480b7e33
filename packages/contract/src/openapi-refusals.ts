import { type ErrorCode, errorCatalogue, wireCode } from './errors.ts';
import type { Json } from './openapi-schemas.ts';
import { permissions, roles } from './permissions.ts';
import { isRateLimited, needsRoom, type Route, scopeOfCall } from './route.ts';

/** The errors a call can answer, by status: its own and those that follow from its access and input. */
function errorCodes(route: Route): Map<number, ErrorCode[]> {
  const codes: ErrorCode[] = [...(route.errors ?? [])];
  if (route.access !== 'none') codes.push('not_authenticated');
  if (route.access !== 'none' && route.method !== 'GET') codes.push('origin_forbidden');
  if (route.access !== 'none' && scopeOfCall(route) !== 'any') codes.push('token_forbidden');
  if (route.access === 'administrator') codes.push('administrator_required');
  if (isRateLimited(route)) codes.push('too_many_changes');
  if (needsRoom(route)) codes.push('storage_full');
  if (route.permission) codes.push('totp_setup_required');
  if (route.permission && permissions[route.permission] !== roles[0]) codes.push('role_forbidden');
  if (route.confirmation) codes.push('totp_required', 'totp_expired');
  // A body that is no JSON, a path whose encoding is broken.
  if (route.method !== 'GET' || route.params) codes.push('invalid_request');
  if (route.method !== 'GET') codes.push('payload_too_large', 'unsupported_media_type');
  codes.push('internal_error', 'service_unavailable');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  // A field or a query name that the call does not have is refused everywhere.
  if (!byStatus.has(400)) byStatus.set(400, []);
  return byStatus;
}

function describeRefusal(status: number, codes: readonly ErrorCode[]): Json {
  const detail = {
    type: 'object',
    required: ['detail', 'code'],
    properties: { detail: { type: 'string' }, code: { enum: codes.map(wireCode) } },
  };
  const fields = { $ref: '#/components/schemas/FieldErrors' };
  const shapes = [...(codes.length > 0 ? [detail] : []), ...(status === 400 ? [fields] : [])];
  return {
    description: codes.map((code) => errorCatalogue[code].en).join(' ') || 'Invalid fields.',
    content: { 'application/json': { schema: shapes.length === 1 ? shapes[0] : { oneOf: shapes } } },
  };
}

/** Describes refusals. What several calls refuse by the same codes is described once, under these codes. */
export function createRefusals() {
  const components = new Map<string, Json>();
  return {
    /** The refusals of a call by their status. */
    listRefusals(route: Route): Json {
      const refusals = [...errorCodes(route)].map(([status, codes]) => {
        const name = codes.join('.') || 'invalid_fields';
        if (!components.has(name)) components.set(name, describeRefusal(status, codes));
        return [status, { $ref: `#/components/responses/${name}` }];
      });
      return Object.fromEntries(refusals);
    },
    /** All that was referred to so far, by name. */
    listComponents(): Json {
      return Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}
