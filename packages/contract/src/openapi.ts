import { z } from 'zod';
import { type ErrorCode, errorCatalogue, wireCode } from './errors.ts';
import { permissions, roles } from './permissions.ts';
import { isCounted, needsRoom, type Route, scopeOfCall } from './route.ts';
import { routes } from './routes/index.ts';

type Json = Record<string, unknown>;

function readSchema(schema: z.ZodType, io: 'input' | 'output'): { rest: Json; $defs: Json } {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  const { $schema: _, $defs = {}, ...rest } = made;
  // What contains itself is named, and one document has one place for names.
  return JSON.parse(JSON.stringify({ rest, $defs }).replaceAll('#/$defs/', '#/components/schemas/'));
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  return readSchema(schema, io).rest;
}

/** The schemas that others refer to by name. */
function namedSchemas(): Json {
  const answers = Object.values<Route>(routes).flatMap(({ answer }) => (answer ? [answer] : []));
  return Object.assign({}, ...answers.map((answer) => readSchema(answer, 'output').$defs));
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, value]) => ({
    name,
    in: place,
    required: !(value as z.ZodType).safeParse(undefined).success,
    schema: jsonSchema(value as z.ZodType, 'input'),
  }));
}

/** The errors a call can answer, by status: its own and those that follow from its access and input. */
function errorCodes(route: Route): Map<number, ErrorCode[]> {
  const codes: ErrorCode[] = [...(route.errors ?? [])];
  if (route.access !== 'none') codes.push('not_authenticated');
  if (route.access !== 'none' && route.method !== 'GET') codes.push('origin_forbidden');
  if (route.access !== 'none' && scopeOfCall(route) !== 'any') codes.push('token_forbidden');
  if (route.access === 'administrator') codes.push('administrator_required');
  if (isCounted(route)) codes.push('too_many_changes');
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

function errorResponses(route: Route): Json {
  return Object.fromEntries(
    [...errorCodes(route)].map(([status, codes]) => {
      const detail = {
        type: 'object',
        required: ['detail', 'code'],
        properties: { detail: { type: 'string' }, code: { enum: codes.map(wireCode) } },
      };
      const fields = { $ref: '#/components/schemas/FieldErrors' };
      const shapes = [...(codes.length > 0 ? [detail] : []), ...(status === 400 ? [fields] : [])];
      return [
        String(status),
        {
          description: codes.map((code) => errorCatalogue[code].en).join(' ') || 'Invalid fields.',
          content: { 'application/json': { schema: shapes.length === 1 ? shapes[0] : { oneOf: shapes } } },
        },
      ];
    }),
  );
}

const mediaTypes = {
  json: 'application/json',
  events: 'text/event-stream',
  csv: 'text/csv',
  file: 'application/octet-stream',
} as const;

function success(route: Route): Json {
  if (!route.answer) return { description: 'Success' };
  const type = mediaTypes[route.kind ?? 'json'];
  const file = route.alsoAnswers ? { [route.alsoAnswers]: { schema: { type: 'string' } } } : {};
  return {
    description: 'Success',
    content: { [type]: { schema: jsonSchema(route.answer, 'output') }, ...file },
  };
}

/** What a token needs for the call; `none` where every token is refused. */
function tokenScope(route: Route): Json {
  return route.access === 'none' ? {} : { 'x-token-scope': scopeOfCall(route) ?? 'none' };
}

function operation(name: string, route: Route): Json {
  return {
    operationId: name,
    summary: route.summary,
    security: route.access === 'none' ? [] : [{ session: [] }, { bearer: [] }],
    ...(route.access === 'administrator' ? { 'x-administrator': true } : {}),
    ...(route.permission ? { 'x-permission': route.permission } : {}),
    ...tokenScope(route),
    ...(route.confirmation ? { 'x-confirmation': route.confirmation } : {}),
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.body
      ? {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            content: { 'application/json': { schema: jsonSchema(route.body, 'input') } },
          },
        }
      : {}),
    responses: {
      [route.status]: success(route),
      ...errorResponses(route),
    },
  };
}

/** The API as an OpenAPI 3.1 document, made from the route table and from nothing else. */
export function createOpenApiDocument(info: { title: string; version: string }): Json {
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: '3.1.0',
    info,
    paths,
    components: {
      schemas: {
        ...namedSchemas(),
        FieldErrors: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
          description: 'One key per bad field.',
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'pult_session' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The access token of a login (a JWT), or a token made for a program (pult_…).',
        },
      },
    },
  };
}
