import type { z } from 'zod';
import { createRefusals } from './openapi-refusals.ts';
import { createSchemaReader, type Json } from './openapi-schemas.ts';
import { type Route, scopeOfCall } from './route.ts';
import { routes } from './routes/index.ts';
import { eventMessage } from './schemas/events.ts';
import { guestTerminalPath } from './schemas/guests.ts';
import { terminalClientMessage, terminalPath, terminalServerMessage } from './schemas/terminal.ts';
import { filesClientMessage, filesServerMessage, terminalFilesPath } from './schemas/terminal-files.ts';

type Read = ReturnType<typeof createSchemaReader>['read'];

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query', read: Read): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, value]) => ({
    name,
    in: place,
    required: !(value as z.ZodType).safeParse(undefined).success,
    schema: read(value as z.ZodType, 'input'),
  }));
}

const mediaTypes = {
  json: 'application/json',
  events: 'text/event-stream',
  csv: 'text/csv',
  file: 'application/octet-stream',
} as const;

function success(route: Route, read: Read): Json {
  if (!route.answer) return { description: 'Success' };
  const type = mediaTypes[route.kind ?? 'json'];
  const file = route.alsoAnswers ? { [route.alsoAnswers]: { schema: { type: 'string' } } } : {};
  return {
    description: 'Success',
    content: { [type]: { schema: read(route.answer, 'output') }, ...file },
  };
}

/** What a token needs for the call; `none` where every token is refused. */
function tokenScope(route: Route): Json {
  return route.access === 'none' ? {} : { 'x-token-scope': scopeOfCall(route) ?? 'none' };
}

function operation(name: string, route: Route, read: Read, refusals: Json): Json {
  return {
    operationId: name,
    summary: route.summary,
    security: route.access === 'none' ? [] : [{ session: [] }, { bearer: [] }],
    ...(route.access === 'administrator' ? { 'x-administrator': true } : {}),
    ...(route.permission ? { 'x-permission': route.permission } : {}),
    ...tokenScope(route),
    ...(route.confirmation ? { 'x-confirmation': route.confirmation } : {}),
    parameters: [...parameters(route.params, 'path', read), ...parameters(route.query, 'query', read)],
    ...(route.body
      ? {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            content: { 'application/json': { schema: read(route.body, 'input') } },
          },
        }
      : {}),
    responses: { [route.status]: success(route, read), ...refusals },
  };
}

/** What goes over each socket and over the event stream, by who sends it. */
function describeMessages(read: Read): Json {
  const terminal = {
    client: read(terminalClientMessage, 'input'),
    server: read(terminalServerMessage, 'output'),
  };
  return {
    [routes.listenToEvents.path]: { server: read(eventMessage, 'output') },
    [terminalPath]: terminal,
    [guestTerminalPath]: terminal,
    [terminalFilesPath]: {
      client: read(filesClientMessage, 'input'),
      server: read(filesServerMessage, 'output'),
    },
  };
}

/** The API as an OpenAPI 3.1 document, made from the route table and from nothing else. */
export function createOpenApiDocument(info: { title: string; version: string }): Json {
  const { read, listComponents } = createSchemaReader();
  const refusals = createRefusals();
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const described = operation(name, route, read, refusals.listRefusals(route));
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info,
    paths,
    'x-messages': describeMessages(read),
    components: {
      schemas: {
        ...listComponents(),
        FieldErrors: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
          description: 'One key per bad field.',
        },
      },
      responses: refusals.listComponents(),
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
