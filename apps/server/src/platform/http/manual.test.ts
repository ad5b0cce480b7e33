import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localeCookie } from '@pult/contract';
import { makeTempDir } from '@pult/testkit';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: Awaited<ReturnType<typeof makeTempDir>>;
let server: TestServer;

beforeAll(async () => {
  folder = await makeTempDir('manual');
  const directory = join(folder.path, 'dist');
  for (const locale of ['en', 'ru']) {
    await mkdir(join(directory, locale, 'alerts'), { recursive: true });
    await writeFile(join(directory, locale, 'index.html'), `<h1>${locale}</h1>`);
    await writeFile(join(directory, locale, '404.html'), `<h1>none ${locale}</h1>`);
    await writeFile(join(directory, locale, 'alerts', 'index.html'), `<h1>alerts ${locale}</h1>`);
  }
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'assets', 'search-a1b2.js'), 'search()');
  await writeFile(join(folder.path, 'secret.txt'), 'secret');
  server = await createTestServer({ manualDirectory: directory });
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

const get = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers });

it.each([
  ['as the browser asks', { 'accept-language': 'ru, en;q=0.5' }, 'ru'],
  ['as the console has stored it', { 'accept-language': 'ru', cookie: `${localeCookie}=en` }, 'en'],
  ['in the default one for others', { 'accept-language': 'de' }, 'ru'],
])('the manual opens in the reader’s language: %s', async (_how, headers, locale) => {
  for (const path of ['/help', '/help/']) {
    const answer = await get(path, headers);
    expect([answer.status, answer.headers.location]).toEqual([302, `/help/${locale}/`]);
  }
});

it('a page is sent without a login, is asked for again each time, and what it loads is kept', async () => {
  const page = await get('/help/ru/alerts/');
  expect([page.status, page.body]).toEqual([200, '<h1>alerts ru</h1>']);
  expect(page.headers['cache-control']).toBe('no-cache');
  expect(String(page.headers['content-security-policy'])).toContain("script-src 'self';");
  const script = await get('/help/assets/search-a1b2.js');
  expect([script.status, script.headers['cache-control']]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ]);
  expect((await get('/help/ru/alerts')).headers.location).toBe('/help/ru/alerts/');
});

it.each([
  '/help/en/none/',
  '/help/en/../../secret.txt',
  '/help/en/%2e%2e/%2e%2e/secret.txt',
  '/help/en/index.html/x',
  '/help/assets/none.js',
])('what the manual does not have is not found: %s', async (path) => {
  const { status, body } = await get(path, { 'accept-language': 'en' });
  expect(status).toBe(404);
  expect(body).not.toContain('secret');
});

it('the manual does not answer under another host', async () => {
  const answer = await get('/help/en/', { host: '127.0.0.1:1' });
  expect(answer.status).toBe(307);
});
