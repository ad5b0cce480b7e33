import { expect, test, vi } from 'vitest';
import { storeLocale } from '../i18n/locale.ts';
import { followDownload } from './follow-download.ts';

const url = '/api/v1/download/7';

function stubFetch(statuses: Partial<Record<string, number>>) {
  const stub = vi.fn(async (_url: string, { method = 'GET' }: RequestInit) => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return new Response('{}', { status: statuses[method] ?? 200, headers });
  });
  vi.stubGlobal('fetch', stub);
  return stub;
}

/** The addresses that were handed to the browser's downloads. */
function followed(): string[] {
  const addresses: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    addresses.push(this.getAttribute('href') ?? '');
  });
  return addresses;
}

// spec: 7.03
test.each(['ru', 'en'] as const)(
  'spec 7: a download is asked for with credentials and the stored language: %s',
  async (locale) => {
    storeLocale(locale);
    const addresses = followed();
    const stub = stubFetch({ HEAD: 404, GET: 404 });
    await expect(followDownload('downloadDiagnostic', url)).rejects.toThrow('404');
    const init = { credentials: 'include', headers: { 'accept-language': locale } };
    expect(stub.mock.calls).toEqual([
      [url, { method: 'HEAD', ...init }],
      [url, { method: 'GET', ...init }],
    ]);
    expect(addresses).toEqual([]);
  },
);

test('a download that HEAD alone is refused for is followed all the same', async () => {
  const addresses = followed();
  const stub = stubFetch({ HEAD: 405 });
  await followDownload('downloadDiagnostic', url);
  expect(stub.mock.calls.map(([, { method }]) => method)).toEqual(['HEAD', 'GET']);
  expect(addresses).toEqual([url]);
});
