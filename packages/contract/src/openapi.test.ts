import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Document, visit } from 'yaml';
import { z } from 'zod';
import { errorCatalogue, isErrorCode, wireCode } from './errors.ts';
import { createOpenApiDocument } from './openapi.ts';
import { permissions } from './permissions.ts';
import type { Route } from './route.ts';
import { routes } from './routes/index.ts';
import * as schemas from './schemas/index.ts';

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  summary: string;
  security: Json[];
  parameters: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Json };
  'x-token-scope'?: string;
  responses: Record<string, { description: string; content?: Json }>;
}

const document = createOpenApiDocument({ title: 'Pult API', version: '1.2.3' });
const paths = document.paths as Record<string, Record<string, Operation>>;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method,
    operation: {
      ...operation,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [status, follow(response)]),
      ),
    },
  })),
);

function* nodesOf(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

function resolve(pointer: string): unknown {
  const parts = pointer.slice(2).split('/');
  return parts.reduce<unknown>((node, part) => (node as Json | undefined)?.[part], document);
}

/** What a reference stands for; what is none stands for itself. */
function follow<T>(value: T): T {
  const { $ref } = value as { $ref?: string };
  return $ref === undefined ? value : (resolve($ref) as T);
}

/** One line for what fits into one, so that a change shows in lines that are easily read. */
function toYaml(value: unknown): string {
  const text = new Document(value, { aliasDuplicateObjects: false });
  visit(text, {
    Collection(_, node) {
      node.flow = JSON.stringify(node.toJS(text)).length <= 110;
    },
  });
  return text.toString({ lineWidth: 0 });
}

/** The diff is what other programs will notice; `npx vitest run packages/contract -u` accepts it. */
it('the API is what openapi.yaml says: each change of it is a decision', async () => {
  const written = createOpenApiDocument({ title: 'Pult API', version: 'that of its server' });
  await expect(toYaml(written)).toMatchFileSnapshot('../openapi.yaml');
});

it('every file of schemas gives its names to the description', () => {
  const folder = new URL('schemas/', import.meta.url);
  const files = readdirSync(folder).filter((name) => /^(?!index)[\w-]+\.ts$/.test(name));
  expect(files.length).toBeGreaterThan(20);
  const index = readFileSync(new URL('index.ts', folder), 'utf8');
  expect(files.filter((name) => !index.includes(`'./${name}'`))).toEqual([]);
});

it('every schema that is exported has its place in the API', () => {
  const { schemas: described } = document.components as { schemas: Json };
  const names = new Set(Object.keys(described).map((name) => name.toLowerCase()));
  const ofParameters = Object.values<Route>(routes).flatMap(({ params, query }) => [params, query]);
  const unused = Object.entries<unknown>(schemas).filter(
    ([name, schema]) =>
      schema instanceof z.ZodType &&
      !names.has(name.toLowerCase()) &&
      !ofParameters.some((place) => place === schema),
  );
  expect(unused.map(([name]) => name)).toEqual([]);
});

describe('the OpenAPI document', () => {
  it('the OpenAPI document is of version 3.1, with the given title and version, and plain JSON', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Pult API', version: '1.2.3' } });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('the OpenAPI document has every route of the table once, and nothing else', () => {
    const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(documented.sort()).toEqual(
      Object.values<Route>(routes)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
    expect(new Set(documented).size).toBe(documented.length);
  });

  it('names each operation differently and says what it does', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of operations) expect(operation.summary).not.toBe('');
  });

  it('the OpenAPI document has no reference that leads nowhere', () => {
    const references = [...nodesOf(document)].map((node) => node.$ref).filter((ref) => ref !== undefined);
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      expect(reference).toMatch(/^#\//);
      expect(resolve(String(reference))).toBeTypeOf('object');
    }
  });

  it('the OpenAPI document writes no object of more than five properties twice', () => {
    const objects = [...nodesOf(document)].filter(
      ({ properties }) => Object.keys((properties as Json | undefined) ?? {}).length > 5,
    );
    const texts = objects.map((object) => JSON.stringify(object));
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  it('declares exactly the parameters of each path, all required', () => {
    for (const { path, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(inPath.map(({ name }) => name)).toEqual(named);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  it('says which query parameters a call cannot do without', () => {
    const required = operations.flatMap(({ operation }) =>
      operation.parameters
        .filter((parameter) => parameter.in === 'query' && parameter.required)
        .map(({ name }) => `${operation.operationId} ${name}`),
    );
    expect(required.sort()).toEqual([
      'listWorstControllers name',
      'listenToEvents organization_id',
      'search search',
    ]);
  });

  it('declares the status and the codes of everything that a call refuses', () => {
    for (const { operation, method } of operations) {
      const route: Route = routes[operation.operationId as keyof typeof routes];
      const declared = new Map<string, string[]>();
      for (const [status, response] of Object.entries(operation.responses)) {
        const codes = [...nodesOf(response)].flatMap((node) => (Array.isArray(node.enum) ? node.enum : []));
        declared.set(status, codes.map(String).filter(isErrorCode));
      }
      expect(Object.keys(operation.responses)).toContain(String(route.status));
      for (const code of route.errors ?? []) {
        expect(declared.get(String(errorCatalogue[code].status))).toContain(wireCode(code));
      }
      if (route.access !== 'none') expect(declared.get('401')).toContain('not_authenticated');
      if (route.access !== 'none' && method !== 'get')
        expect(declared.get('400')).toContain('origin_forbidden');
      if (route.permission) {
        const forbids = permissions[route.permission] !== 'viewer';
        expect(declared.get('403')).toContain('totp_setup_required');
        expect(declared.get('403')?.includes('role_forbidden')).toBe(forbids);
      }
      if (route.confirmation)
        expect(declared.get('403')).toEqual(expect.arrayContaining(['totp_required', 'totp_expired']));
      if (route.params) expect(declared.has('404')).toBe(true);
    }
  });

  it('declares the file that a list is answered as to whoever accepts one', () => {
    const contentOf = (name: string) => {
      const found = operations.find(({ operation }) => operation.operationId === name);
      return found?.operation.responses['200']?.content ?? {};
    };
    expect(Object.keys(contentOf('listAuditEvents'))).toEqual(['application/json', 'text/csv']);
    expect(contentOf('listAuditEvents')['text/csv']).toEqual({ schema: { type: 'string' } });
    expect(Object.keys(contentOf('listMembers'))).toEqual(['application/json']);
  });

  it('says what a token needs for each call with a login, and that it is refused where it is', () => {
    const tokenOf = (name: string) => {
      const found = operations.find(({ operation }) => operation.operationId === name);
      const refusals = JSON.stringify(found?.operation.responses['403'] ?? {});
      return [found?.operation['x-token-scope'], refusals.includes('token_forbidden')];
    };
    expect(tokenOf('getController')).toEqual(['controllers.read', true]);
    expect(tokenOf('createToken')).toEqual(['tokens.manage', true]);
    expect(tokenOf('listGroups')).toEqual(['any', false]);
    expect(tokenOf('changePassword')).toEqual(['none', true]);
    expect(tokenOf('getInstallation')).toEqual(['none', true]);
    expect(tokenOf('getEnvironments')).toEqual([undefined, false]);
  });

  it('describes an answer by what it is: JSON, events, a table, a file or nothing', () => {
    const successOf = (name: string) => {
      const found = operations.find(({ operation }) => operation.operationId === name);
      const { status }: Route = routes[name as keyof typeof routes];
      return found?.operation.responses[String(status)];
    };
    const typesOf = (name: string) => Object.keys(successOf(name)?.content ?? {});
    expect(typesOf('getController')).toEqual(['application/json']);
    expect(typesOf('listenToEvents')).toEqual(['text/event-stream']);
    expect(typesOf('exportControllers')).toEqual(['text/csv']);
    expect(typesOf('downloadDiagnostic')).toEqual(['application/octet-stream']);
    expect(successOf('getController')?.description).toBe('Success');
    expect(successOf('logout')).toEqual({ description: 'Success' });
  });

  it('declares the refusals of a call with their texts, and the two shapes of a bad request', () => {
    const refusalsOf = (name: string) => {
      const found = operations.find(({ operation }) => operation.operationId === name);
      const { responses = {} } = found?.operation ?? {};
      return Object.fromEntries(
        Object.entries(responses)
          .filter(([status]) => Number(status) >= 400)
          .map(([status, { content, description }]) => {
            const { schema } = (content as { 'application/json': { schema: Json } })['application/json'];
            return [status, { description, schema }];
          }),
      );
    };
    const shapeOf = (...codes: string[]) => ({
      type: 'object',
      required: ['detail', 'code'],
      properties: { detail: { type: 'string' }, code: { enum: codes } },
    });
    const fields = { $ref: '#/components/schemas/FieldErrors' };
    // A read without parameters cannot be refused but for its fields.
    const reading = refusalsOf('listOrganizations');
    expect(Object.keys(reading)).toEqual(['400', '401', '500', '503']);
    expect(reading['400']).toEqual({ description: 'Invalid fields.', schema: fields });
    expect(reading['401']).toEqual({
      description: errorCatalogue.not_authenticated.en,
      schema: shapeOf('not_authenticated'),
    });
    expect(reading['500']?.schema).toEqual(shapeOf('internal_error'));
    expect(reading['503']?.schema).toEqual(shapeOf('service_unavailable'));
    const changing = refusalsOf('deleteController');
    expect(Object.keys(changing)).toEqual([
      '400',
      '401',
      '403',
      '404',
      '413',
      '415',
      '429',
      '500',
      '503',
      '507',
    ]);
    expect(changing['400']?.schema).toEqual({
      oneOf: [shapeOf('origin_forbidden', 'invalid_request'), fields],
    });
    expect(changing['400']?.description).toBe(
      `${errorCatalogue.origin_forbidden.en} ${errorCatalogue.invalid_request.en}`,
    );
    expect(changing['413']?.schema).toEqual(shapeOf('payload_too_large'));
    expect(changing['415']?.schema).toEqual(shapeOf('unsupported_media_type'));
    expect(changing['429']?.schema).toEqual(shapeOf('too_many_changes'));
    // Without a login there is nobody whose changes are counted; a read by parameters can be malformed.
    expect(Object.keys(refusalsOf('login'))).not.toContain('403');
    expect(refusalsOf('login')['429']?.schema).toEqual(shapeOf('too_many_attempts'));
    // It only reads, by a method that is not GET; and who gets rid of an intruder is not held up.
    expect(Object.keys(refusalsOf('querySystemMetrics'))).not.toContain('429');
    expect(Object.keys(refusalsOf('terminateSessions'))).not.toContain('429');
    expect(refusalsOf('getController')['400']?.schema).toEqual({
      oneOf: [shapeOf('invalid_request'), fields],
    });
    expect(Object.keys(refusalsOf('getController'))).not.toContain('413');
  });

  it('says how to log in, and what bad fields look like', () => {
    expect(document.components).toMatchObject({
      schemas: {
        FieldErrors: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
          description: 'One key per bad field.',
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'pult_session' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    });
    const { security } = paths['/api/v1/organizations/']?.get ?? {};
    expect(security).toEqual([{ session: [] }, { bearer: [] }]);
  });

  it('says what a caller must be allowed, must have confirmed and must send', () => {
    const operationOf = (name: string) =>
      operations.find(({ operation }) => operation.operationId === name)?.operation;
    expect(operationOf('deleteController')).toMatchObject({
      'x-permission': 'controllers.delete',
      'x-confirmation': routes.deleteController.confirmation,
    });
    expect(operationOf('listOrganizations')).not.toHaveProperty('x-permission');
    expect(operationOf('listOrganizations')).not.toHaveProperty('x-confirmation');
    expect(operationOf('listOrganizations')).not.toHaveProperty('requestBody');
    expect(operationOf('openTunnel')?.requestBody?.required).toBe(false);
    expect(operationOf('changePassword')?.requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ChangePasswordRequest' } } },
    });
    expect(resolve('#/components/schemas/ChangePasswordRequest')).toMatchObject({
      required: ['oldPassword', 'newPassword'],
    });
  });

  it('says what goes over the event stream and the sockets, by who sends it', () => {
    const messages = document['x-messages'] as Record<string, Record<string, Json>>;
    const senders = Object.entries(messages).map(([path, sides]) => [path, Object.keys(sides)]);
    expect(Object.fromEntries(senders)).toEqual({
      '/api/v1/events/': ['server'],
      '/api/v1/ssh-terminal/': ['client', 'server'],
      '/api/v1/guest-terminal/': ['client', 'server'],
      '/api/v1/ssh-files/': ['client', 'server'],
    });
    const { client } = messages['/api/v1/ssh-files/'] ?? {};
    expect(client).toEqual({ $ref: '#/components/schemas/FilesClientMessage' });
  });

  it('offers a login wherever one is needed, and asks for none elsewhere', () => {
    for (const { operation } of operations) {
      const route: Route = routes[operation.operationId as keyof typeof routes];
      expect(operation.security.length > 0).toBe(route.access !== 'none');
    }
  });
});
