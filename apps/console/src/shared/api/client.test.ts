import { afterEach, expect, test, vi } from 'vitest';
import { storeLocale } from '../i18n/locale.ts';
import { api } from './client.ts';
import { isReachable, setReachable } from './connection.ts';

afterEach(() => {
  localStorage.clear();
  setReachable(true);
});

function stubFetch(status = 200) {
  const stub = vi.fn(async (_url: string, _init: RequestInit) => new Response('[]', { status }));
  vi.stubGlobal('fetch', stub);
  return stub;
}

// spec: 7.02, 7.03
test('spec 7: requests send credentials and the stored language, ru by default', async () => {
  const stub = stubFetch();
  await api('listOrganizations');
  storeLocale('en');
  await api('listOrganizations');
  const [first, second] = stub.mock.calls.map(([, init]) => init);
  expect(first).toMatchObject({ credentials: 'include', headers: { 'accept-language': 'ru' } });
  expect(second).toMatchObject({ headers: { 'accept-language': 'en' } });
});

// spec: 7.03
test('spec 7: empty and undefined query values are not sent', async () => {
  const stub = stubFetch();
  await api('listControllers', { query: { search: '', status: undefined, page: 1 } });
  expect(stub.mock.calls[0]?.[0]).toBe('/api/v1/controllers/?page=1');
});

test('a gateway error means that the server is away, an answer that it is back', async () => {
  stubFetch(502);
  await expect(api('listOrganizations')).rejects.toThrow();
  expect(isReachable()).toBe(false);
  stubFetch();
  await api('listOrganizations');
  expect(isReachable()).toBe(true);
});

test('a 503 that the server itself answers does not mean that it is away', async () => {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  vi.stubGlobal('fetch', async () =>
    Response.json({ code: 'metrics_unavailable' }, { status: 503, headers }),
  );
  await expect(api('listOrganizations')).rejects.toThrow();
  expect(isReachable()).toBe(true);
  vi.stubGlobal('fetch', async () => new Response('Bad gateway', { status: 503 }));
  await expect(api('listOrganizations')).rejects.toThrow();
  expect(isReachable()).toBe(false);
});
