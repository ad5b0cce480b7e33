import { describe, expect, it, vi } from 'vitest';
import { ApiError, buildPath, createClient } from './client.ts';

describe('buildPath', () => {
  it('fills in and escapes the parameters of a path', () => {
    expect(buildPath('getController', { serialNumber: 'A1B2' })).toBe('/api/v1/controllers/A1B2/');
    expect(buildPath('getController', { serialNumber: 'a/b?c#d%' })).toBe(
      '/api/v1/controllers/a%2Fb%3Fc%23d%25/',
    );
  });

  it('drops empty and undefined query values and keeps 0 and false', () => {
    const query = { search: '', status: undefined, page: 0, page_size: 25, ordering: '-status', x: false };
    expect(buildPath('listControllers', {}, query)).toBe(
      '/api/v1/controllers/?page=0&page_size=25&ordering=-status&x=false',
    );
    expect(buildPath('listControllers', {}, { search: '' })).toBe('/api/v1/controllers/');
    expect(buildPath('listControllers', {}, { search: 'Ёж & co' })).toBe(
      '/api/v1/controllers/?search=%D0%81%D0%B6+%26+co',
    );
  });

  it('throws for a missing parameter, which would name another address', () => {
    expect(() => buildPath('getController')).toThrow('serialNumber');
    expect(() => buildPath('getController', { serialNumber: '' })).toThrow('serialNumber');
  });
});

describe('the client', () => {
  function createTestClient(answer: Response) {
    const request = vi.fn<typeof fetch>(async () => answer);
    const client = createClient({ baseUrl: 'http://server', getLocale: () => 'ru', fetch: request });
    const sent = () => {
      const [url, init] = request.mock.calls[0] ?? [];
      return { url, ...init };
    };
    return { client, sent };
  }

  it('sends credentials and the stored language with every call', async () => {
    const { client, sent } = createTestClient(Response.json([]));
    expect(await client('listOrganizations')).toEqual([]);
    expect(sent()).toMatchObject({
      url: 'http://server/api/v1/organizations/',
      method: 'GET',
      credentials: 'include',
      headers: { 'accept-language': 'ru', accept: 'application/json' },
    });
    expect(sent()).not.toHaveProperty('body');
    expect(sent().headers).not.toHaveProperty('content-type');
  });

  it('sends a body as JSON', async () => {
    const { client, sent } = createTestClient(Response.json({ access: 'x' }));
    await client('login', { body: { username: 'a@example.com', password: 'p' } });
    expect(sent()).toMatchObject({
      headers: { 'content-type': 'application/json' },
      body: '{"username":"a@example.com","password":"p"}',
    });
  });

  it('sends the caller’s headers, which replace none of its own, and passes its signal on', async () => {
    const request = vi.fn<typeof fetch>(async () => Response.json([]));
    const headers = { authorization: 'Bearer x', accept: 'text/html', 'accept-language': 'de' };
    const client = createClient({ getLocale: () => 'en', fetch: request, headers });
    const { signal } = new AbortController();
    await client('listOrganizations', { signal });
    await client('listOrganizations');
    const [first, second] = request.mock.calls;
    expect(first?.[0]).toBe('/api/v1/organizations/');
    expect(first?.[1]?.headers).toEqual({
      authorization: 'Bearer x',
      accept: 'application/json',
      'accept-language': 'en',
    });
    expect(first?.[1]?.signal).toBe(signal);
    expect(second?.[1]).not.toHaveProperty('signal');
  });

  it('asks by the fetch of its surroundings where it is given none', async () => {
    const request = vi.fn<typeof fetch>(async () => Response.json([]));
    vi.stubGlobal('fetch', request);
    await createClient({ getLocale: () => 'en' })('listOrganizations');
    expect(request).toHaveBeenCalledTimes(1);
  });

  it('resolves to nothing for 204', async () => {
    const { client } = createTestClient(new Response(null, { status: 204 }));
    expect(await client('logout')).toBeUndefined();
  });

  it('rejects with status, code and the unread answer', async () => {
    const { client } = createTestClient(
      Response.json({ detail: 'Not found.', code: 'controller_not_found' }, { status: 404 }),
    );
    const error = await client('getController', { params: { serialNumber: 'X' } }).catch((reason) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404, code: 'controller_not_found', route: 'getController' });
    expect(error.name).toBe('ApiError');
    expect(error.message).toBe('getController: 404 controller_not_found');
    expect(await error.response.json()).toMatchObject({ detail: 'Not found.' });
  });

  it('rejects without a code for the page of a proxy and for field errors', async () => {
    for (const answer of [
      new Response('<html>', { status: 502 }),
      Response.json({ name: ['x'] }, { status: 400 }),
      Response.json({ code: ['not a code'] }, { status: 400 }),
      Response.json(null, { status: 500 }),
      Response.json('code', { status: 500 }),
    ]) {
      const { client } = createTestClient(answer);
      const message = `listOrganizations: ${answer.status}`;
      await expect(client('listOrganizations')).rejects.toMatchObject({ code: undefined, message });
    }
  });
});
