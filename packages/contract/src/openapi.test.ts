import { describe, expect, it } from 'vitest';
import { errorCatalogue, isErrorCode, wireCode } from './errors.ts';
import { createOpenApiDocument } from './openapi.ts';
import { permissions } from './permissions.ts';
import type { Route } from './route.ts';
import { routes } from './routes/index.ts';

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  summary: string;
  security: Json[];
  parameters: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Json };
  responses: Record<string, { description: string; content?: Json }>;
}

const document = createOpenApiDocument({ title: 'Pult API', version: '1.2.3' });
const paths = document.paths as Record<string, Record<string, Operation>>;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
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
      if (route.access === 'user') expect(declared.get('401')).toContain('not_authenticated');
      if (route.access === 'user' && method !== 'get')
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
    expect(operationOf('changePassword')?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { required: ['oldPassword', 'newPassword'] } } },
    });
  });

  it('offers a login wherever one is needed, and asks for none elsewhere', () => {
    for (const { operation } of operations) {
      const route: Route = routes[operation.operationId as keyof typeof routes];
      expect(operation.security.length > 0).toBe(route.access === 'user');
    }
  });
});
