import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorCatalogue } from './errors.ts';
import type { Route } from './route.ts';
import { routes } from './routes/index.ts';

const entries = Object.entries<Route>(routes);

/** Whose handlers ask for the permission themselves, since no row can say where it is needed. */
const askingHandlers = ['activateController', 'requestAgentUpdates', 'detachControllers', 'removeMember'];

describe('the route table', () => {
  it('writes every path under the prefix, with a trailing slash', () => {
    for (const [name, { path }] of entries) {
      // The one that the spec writes without.
      const written = name === 'downloadDiagnostic' ? `${path}/` : path;
      expect(written).toMatch(/^\/api\/v1\/[a-z0-9{}A-Z/-]*\/$/);
    }
    expect(routes.downloadDiagnostic.path).toBe('/api/v1/download/{id}');
  });

  it('describes the parameters of each path and no others', () => {
    for (const [name, route] of entries) {
      const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect([name, Object.keys(route.params?.shape ?? {})]).toEqual([name, named]);
    }
  });

  it('the route table has an answer for every success but 204', () => {
    for (const [name, route] of entries) {
      expect([name, route.answer === undefined]).toEqual([name, route.status === 204]);
    }
  });

  it('refuses unknown fields in every query and body', () => {
    for (const [name, route] of entries) {
      for (const schema of [route.query, route.body]) {
        if (!schema) continue;
        const { error } = schema.safeParse({ surprise: 1 });
        const isRefused = error?.issues.some((issue) => issue.code === 'unrecognized_keys');
        expect([name, isRefused]).toEqual([name, true]);
      }
    }
  });

  it('lets no row with a login stand without what it is about', () => {
    const row = { method: 'GET', path: '/', status: 204, summary: '' } as const;
    const user = { ...row, access: 'user' } as const;
    // @ts-expect-error: nothing says what it is about.
    const undecided: Route = user;
    // @ts-expect-error: of a permission that is asked for nowhere.
    const unasked: Route = { ...user, permission: 'controllers.read', on: 'self' };
    // @ts-expect-error: of a controller that no parameter names.
    const unnamed: Route = { ...user, permission: 'controllers.read', on: 'controller' };
    // @ts-expect-error: what strangers may do is about nobody.
    const strangers: Route = { ...row, access: 'none', on: 'self' };
    expect([undecided, unasked, unnamed, strangers]).toHaveLength(4);
  });

  it('lets no row name an organization or a group that its schemas lack', () => {
    const called = { method: 'POST', path: '/', status: 204, summary: '' } as const;
    const row = { ...called, access: 'user', permission: 'groups.manage' } as const;
    const params = { organization: 'params.organizationId' } as const;
    const query = { organization: 'query.organization_id' } as const;
    const [at, organization] = ['root', 'body.organization'] as const;
    const id = z.object({ id: z.string() });
    // @ts-expect-error: no parameter is named so.
    const inPath: Route = { ...row, on: { ...params, at }, params: id };
    // @ts-expect-error: nothing of the query is named so.
    const inQuery: Route = { ...row, on: { ...query, at }, query: id };
    // @ts-expect-error: nothing of the body is named so.
    const inBody: Route = { ...row, on: { organization, at }, body: id };
    const body = z.object({ organization: z.string() });
    // @ts-expect-error: the body names no group.
    const inGroup: Route = { ...row, on: { organization, at: { group: 'body.parent' } }, body };
    const named: Route = { ...row, on: { organization, at }, body };
    expect([inPath, inQuery, inBody, inGroup, named]).toHaveLength(5);
  });

  it('leaves it to few handlers to ask for their permission', () => {
    const asking = entries.filter(([, { on }]) => on === 'handler').map(([name]) => name);
    expect(asking.sort()).toEqual([...askingHandlers].sort());
    expect(asking.length).toBeLessThanOrEqual(10);
  });

  it('says 404 where a permission is checked in what a call names', () => {
    for (const [name, route] of entries) {
      if (!route.permission || (!route.params && !route.body)) continue;
      const statuses: number[] = (route.errors ?? []).map((code) => errorCatalogue[code].status);
      expect([name, statuses.includes(404)]).toEqual([name, true]);
    }
  });
});
