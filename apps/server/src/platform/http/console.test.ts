import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { makeTempDir } from '@pult/testkit';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder: Awaited<ReturnType<typeof makeTempDir>>;
let server: TestServer;
const script = 'console.log("the console")'.repeat(100);

beforeAll(async () => {
  folder = await makeTempDir('console');
  // A folder whose own path looks like that of an asset.
  const directory = join(folder.path, 'assets', 'dist');
  await mkdir(join(directory, 'assets'), { recursive: true });
  await writeFile(join(folder.path, 'assets', 'secret.txt'), 'secret');
  await writeFile(
    join(directory, 'index.html'),
    '<!doctype html><meta name="brand" content="%SERVICE_NAME%"><meta content="%SERVICE_STATUS_URL%">' +
      '<meta content="%UNKNOWN%"><meta name="arrival" content="%ARRIVAL%"><p>100%</p>',
  );
  await writeFile(join(directory, 'favicon.svg'), '<svg/>');
  await writeFile(join(directory, 'assets', 'main-a1b2.js'), script);
  await writeFile(join(directory, 'assets', 'main-a1b2.js.gz'), gzipSync(script));
  await writeFile(join(directory, 'assets', 'main-a1b2.js.br'), brotliCompressSync(script));
  await writeFile(join(directory, 'assets', 'tiny-c3.css'), 'p{}');
  server = await createTestServer({
    consoleDirectory: directory,
    environment: {
      SERVICE_NAME: '<b>"Pult" & $& \'co\'</b>',
      SERVICE_STATUS_URL: 'https://status.example.com/?a=1&b=2',
      SENTRY_DSN: 'https://key@errors.example.com/7',
    },
  });
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

const get = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers });

describe('the page of the console', () => {
  it.each(['/', '/login', '/organizations/x/controllers?page=2', '/connect/http/A1/', '/index.html'])(
    'the page of the console is sent for %s, with its settings, never cached',
    async (path) => {
      const { status, headers, body } = await get(path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
      });
      expect(body).toContain('content="&#60;b&#62;&#34;Pult&#34; &#38; $&#38; &#39;co&#39;&#60;/b&#62;"');
      expect(body).toContain('content="https://status.example.com/?a=1&#38;b=2"');
      expect(body).toContain('<p>100%</p>');
    },
  );

  it.each([
    ['none', 'own'],
    ['same-origin', 'own'],
    ['same-site', 'linked'],
    ['cross-site', 'linked'],
    [undefined, 'linked'],
  ])('the page of the console says whose address it was asked for by (%s: %s)', async (site, arrival) => {
    const { headers, body } = await get(
      '/connect/http/A1/?path=%2Fx',
      site ? { 'sec-fetch-site': site } : {},
    );
    expect(body).toContain(`name="arrival" content="${arrival}"`);
    expect(headers.vary).toBe('sec-fetch-site');
  });

  it('the page of the console may run no script but its own, and be framed by nobody', async () => {
    const { headers } = await get('/login');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  });

  it('the page of the console may report errors to the service that is set, and to no other', async () => {
    const { headers } = await get('/login');
    const policy = String(headers['content-security-policy']);
    expect(/connect-src ([^;]*)/.exec(policy)?.[1]?.split(' ')).toEqual([
      "'self'",
      'ws://localhost:8080',
      'https://errors.example.com',
    ]);
  });

  it.each([
    ['127.0.0.1:8080', '/controllers?token=A'],
    ['evil.example', '/login?redirect=%2Fx'],
    ['localhost:9999', '/'],
  ])('asked for as %s is at its own address, path kept', async (host, path) => {
    const { status, headers } = await get(path, { host });
    expect(status).toBe(307);
    expect(headers.location).toBe(`http://localhost:8080${path}`);
  });

  it.each(['//evil.example/x', '//evil.example', '/\\evil.example', '/@evil.example', '/.evil.example'])(
    'the page of the console at %s under another host leads to no other site',
    async (path) => {
      const { status, headers } = await get(path, { host: '127.0.0.1:8080' });
      if (status === 307) expect(new URL(String(headers.location)).origin).toBe('http://localhost:8080');
      else expect(status).toBeGreaterThanOrEqual(400);
    },
  );

  it('the page of the console is no answer to what is asked of the API', async () => {
    expect(await get('/api/v1/nothing/')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('an asset', () => {
  it('an asset is kept for a year by its hashed name', async () => {
    const { status, headers, body } = await get('/assets/main-a1b2.js');
    expect([status, body]).toEqual([200, script]);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toMatch(/javascript/);
  });

  it('an asset without a hash is kept for an hour', async () => {
    const { headers } = await get('/favicon.svg');
    expect(headers['cache-control']).toBe('public, max-age=3600');
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['identity', undefined],
  ])('an asset is sent for %s as %s', async (accepted, encoding) => {
    const { headers } = await get('/assets/main-a1b2.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(String(headers.vary)).toMatch(/accept-encoding/i);
  });

  it('an asset that was not compressed is sent as it is', async () => {
    const { status, headers } = await get('/assets/tiny-c3.css', { 'accept-encoding': 'br, gzip' });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('an asset of an older version is 404, no page', async () => {
    const { status, headers } = await get('/assets/main-old.js');
    expect(status).toBe(404);
    expect(headers['content-type']).toMatch(/text\/plain/);
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/main-a1b2.js%00.txt',
    '/assets//etc/passwd',
  ])('an asset at %s is nothing from outside', async (path) => {
    const { body } = await get(path);
    expect(JSON.stringify(body)).not.toContain('secret"');
    expect(body).not.toBe('secret');
    expect(JSON.stringify(body)).not.toContain('root:');
  });
});
