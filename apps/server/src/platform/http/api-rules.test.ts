import { type Method, type Route, routes } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from './api.ts';

let server: TestServer;
let user: TestUser;
let authorization: string;

beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser();
  authorization = `Bearer ${user.access}`;
});
afterAll(() => server.close());

const json = { 'content-type': 'application/json', 'accept-language': 'en' };
const samplePath = (path: string) => path.replace(/\{\w+\}/g, 'A1');

/** The methods of each path of the contract. */
const methodsByPath = new Map<string, Method[]>();
for (const { path, method } of Object.values<Route>(routes)) {
  methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method]);
}

// The specification writes one path, that of downloads, without a slash at its end.
const slashed = [...methodsByPath.keys()].filter((path) => path.endsWith('/'));

describe.each(slashed)('%s', (path) => {
  const url = samplePath(path);

  it('a path without its slash is redirected, with the method and the query kept', async () => {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'HEAD']) {
      const answer = await server.request(method, `${url.slice(0, -1)}?a=%D0%B9&b=/x/`, {
        headers: json,
        ...(method === 'GET' || method === 'HEAD' ? {} : { payload: '{}' }),
      });
      expect([method, answer.status, answer.headers.location]).toEqual([
        method,
        308,
        `${url}?a=%D0%B9&b=/x/`,
      ]);
    }
    const bare = await server.request('GET', url.slice(0, -1));
    expect(bare.headers.location).toBe(url);
  });
});

describe.each([...methodsByPath])('%s', (path, own) => {
  const url = samplePath(path);

  it('answers other methods with 405 and the methods that it has', async () => {
    const allowed = own.includes('GET') ? [...own, 'HEAD'] : own;
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      (method) => !allowed.includes(method),
    );
    for (const method of others) {
      const answer = await server.request(method, url, { headers: json });
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allowed.join(', ')]);
      if (method === 'HEAD') continue;
      expect(answer.body).toEqual({
        detail: 'This address does not support such a request.',
        code: 'method_not_allowed',
      });
    }
  });
});

it('a handler that is to ask for the permission itself does not compile without an answer by what it asked', () => {
  const served: string[] = [];
  const api: Pick<Api, 'route'> = { route: ({ path }) => void served.push(path) };
  // @ts-expect-error: nobody was asked for anything.
  api.route(routes.removeMember, async () => undefined);
  api.route(routes.removeMember, async ({ caller }) => caller.decide(caller.scope, undefined));
  expect(served).toHaveLength(2);
});

describe('a path of no call', () => {
  it.each([
    '/api/v1/',
    '/api/v1/nothing/',
    '/api/v2/users/me/',
    '/api/v1/users/me//',
    '/api//v1/users/me/',
    '/API/v1/users/me/',
    '/api/v1/users/me/extra/',
    '/api-agent/v1/nothing/',
    '/nothing',
    '/',
  ])('%s is not found, as JSON in both languages', async (path) => {
    for (const method of ['GET', 'POST', 'PROPFIND', 'TRACE']) {
      const answer = await server.request(method, path, { headers: { 'accept-language': 'en' } });
      expect([method, answer.status, answer.body]).toEqual([
        method,
        404,
        { detail: 'Not found.', code: 'not_found' },
      ]);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    expect((await server.request('GET', path)).body).toEqual({ detail: 'Не найдено.', code: 'not_found' });
  });

  it('a path of no call that is badly encoded or endless is refused as a bad request or not found', async () => {
    for (const path of ['/api/v1/controllers/%/', '/api/v1/controllers/%zz/', '/api/v1/controllers/%ff/']) {
      expect([path, await server.request('GET', path, { headers: { authorization } })]).toMatchObject([
        path,
        { status: 400, body: { code: 'invalid_request' } },
      ]);
    }
    const long = await server.request('GET', `/api/v1/controllers/${'A'.repeat(5000)}/`, {
      headers: { authorization },
    });
    expect([400, 404, 414]).toContain(long.status);
    expect(long.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('every answer', () => {
  it('every answer is JSON in UTF-8 that nobody stores, in the language asked for', async () => {
    for (const answer of [
      await server.call('getEnvironments'),
      await server.call('getCurrentUser', { as: user }),
      await server.call('getCurrentUser'),
      await server.call('listControllers', { as: user, query: { page: 'x' } }),
      await server.request('GET', '/api/v1/nothing/'),
    ]) {
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers.vary).toBe('accept-language');
    }
  });

  it('every answer is Russian by default and English where asked', async () => {
    const detail = async (language?: string) => {
      const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language };
      const answer = await server.request('GET', '/api/v1/users/me/', { headers });
      return (answer.body as { detail: string }).detail;
    };
    expect(await detail()).toBe('Войдите в систему.');
    expect(await detail('de')).toBe('Войдите в систему.');
    expect(await detail('en-US,en;q=0.9')).toBe('Log in first.');
  });

  it('carries the headers that protect a browser', async () => {
    const { headers } = await server.call('getEnvironments');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(policy).toMatch(/connect-src 'self' ws:\/\/localhost:8080(;|$)/);
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  it('every answer to HEAD is that of GET without its body', async () => {
    const answer = await server.request('HEAD', '/api/v1/environments/');
    expect(answer).toMatchObject({ status: 200, body: undefined });
    expect((await server.request('HEAD', '/api/v1/users/me/')).status).toBe(401);
  });
});

describe('a body', () => {
  const post = (payload: string, headers: Record<string, string> = json) =>
    server.request('POST', '/api/v1/organizations/', { headers: { authorization, ...headers }, payload });

  it('a body that is too large is refused as such', async () => {
    expect(await post(JSON.stringify({ name: 'x'.repeat(65_536) }))).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large', detail: 'The request is too large.' },
    });
  });

  it('a body that is not JSON is refused as such', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      expect(await post('name=x', { 'content-type': type })).toMatchObject({
        status: 415,
        body: { code: 'unsupported_media_type' },
      });
    }
  });

  it.each([
    '{',
    '{"name":"x"',
    'name',
    "{'name':'x'}",
    '{"name":"x"}}',
    '{"__proto__":{"name":"x"}}',
    '[]',
    'null',
    '5',
    '',
  ])('a body that is no object of fields is refused: %j', async (payload) => {
    expect(await post(payload)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('a body has its fields refused by name', async () => {
    expect(await post('{}')).toMatchObject({ status: 400, body: { name: ['This field is required.'] } });
    expect(await post('{"name":["x"],"owner":"me","constructor":1}')).toMatchObject({
      status: 400,
      body: { name: ['A string is expected.'], owner: ['Unknown field.'], constructor: ['Unknown field.'] },
    });
    expect(await post('{"name":"x"}', { ...json, 'accept-language': 'ru' })).toMatchObject({ status: 201 });
    expect(await post('{"name":" "}', { ...json, 'accept-language': 'ru' })).toMatchObject({
      status: 400,
      body: { name: ['Поле не может быть пустым.'] },
    });
  });

  it('a body may be empty where none is needed, whatever its type says', async () => {
    const logout = (payload: string) =>
      server.request('POST', '/api/v1/auth/logout/', { headers: json, payload });
    expect((await logout('')).status).toBe(204);
    expect((await logout('{}')).status).toBe(204);
    expect((await logout('null')).status).toBe(204);
    expect(await logout('{"all":true}')).toMatchObject({ status: 400, body: { all: ['Unknown field.'] } });
  });

  it('a body of a call that has no query gets none', async () => {
    const answer = await server.call('getCurrentUser', { as: user, query: { id: '1' } });
    expect(answer).toMatchObject({ status: 400, body: { id: ['Unknown field.'] } });
  });
});
