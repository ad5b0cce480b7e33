import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@pult/testkit';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder: Awaited<ReturnType<typeof makeTempDir>>;
let server: TestServer;
let file: string;
const tiles = Buffer.from('PMTiles'.padEnd(1000, '0123456789'));
const path = '/map/tiles.pmtiles';

beforeAll(async () => {
  folder = await makeTempDir('map-tiles');
  file = join(folder.path, 'map.pmtiles');
  await writeFile(join(folder.path, 'secrets.json'), 'secret');
  server = await createTestServer({ environment: { DATA_DIR: folder.path } });
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

const get = (headers: Record<string, string> = {}) => server.request('GET', path, { headers });
const tellUrl = async () => (await server.call('getEnvironments')).body as { MAP_TILES_URL: string | null };

describe('the map tiles of the operator', () => {
  it('the map tiles of the operator are there as soon as the file is, and gone with it', async () => {
    expect((await get()).status).toBe(404);
    expect(await tellUrl()).toMatchObject({ MAP_TILES_URL: null });
    await writeFile(file, tiles);
    expect(await tellUrl()).toMatchObject({ MAP_TILES_URL: path });
    const whole = await get();
    expect(whole.status).toBe(200);
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': '1000' });
    expect(whole.body).toBe(tiles.toString());
    await rm(file);
    expect((await get()).status).toBe(404);
  });

  it('the map tiles of the operator are read in parts', async () => {
    await writeFile(file, tiles);
    const head = await get({ range: 'bytes=0-6' });
    expect([head.status, head.body]).toEqual([206, 'PMTiles']);
    expect(head.headers).toMatchObject({ 'content-range': 'bytes 0-6/1000', 'content-length': '7' });
    expect((await get({ range: 'bytes=995-2000' })).body).toBe(tiles.subarray(995).toString());
    expect((await get({ range: 'bytes=-3' })).body).toBe(tiles.subarray(-3).toString());
    const beyond = await get({ range: 'bytes=1000-' });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */1000']);
    // Several ranges, and what is none, mean the whole.
    expect((await get({ range: 'bytes=0-1,4-5' })).status).toBe(200);
    expect((await get({ range: 'lines=1-2' })).status).toBe(200);
    const size = await server.request('HEAD', path);
    expect([size.status, size.headers['content-length'], size.body ?? '']).toEqual([200, '1000', '']);
  });

  it('the map tiles of the operator are told from those of a replaced file', async () => {
    await writeFile(file, tiles);
    const { etag = '' } = (await get({ range: 'bytes=0-6' })).headers as { etag?: string };
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
    await utimes(file, new Date(), new Date(Date.UTC(2026, 0, 1)));
    expect((await get({ 'if-none-match': etag })).status).toBe(200);
    // A part of the old file is answered with the whole of the new one.
    expect((await get({ range: 'bytes=0-6', 'if-range': etag })).status).toBe(200);
    const current = (await get()).headers.etag as string;
    expect(current).toMatch(/^"/);
    expect((await get({ range: 'bytes=0-6', 'if-range': current })).body).toBe('PMTiles');
    expect((await get()).headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'application/vnd.pmtiles',
    });
  });

  it('open no way to anything else of the data folder', async () => {
    for (const other of [
      '/map/secrets.json',
      '/map/..%2Fsecrets.json',
      '/map/tiles.pmtiles/../secrets.json',
    ]) {
      expect((await server.request('GET', other)).body).not.toBe('secret');
    }
  });
});

it('an operator’s map style may be read from its own host, and from no other', async () => {
  await using other = await createTestServer({
    environment: { MAP_STYLE_URL: 'https://tiles.example.com/styles/light.json' },
  });
  const { headers } = await other.request('GET', '/healthz');
  const policy = String(headers['content-security-policy']);
  const sources = (name: string) => new RegExp(`${name} ([^;]*)`).exec(policy)?.[1]?.split(' ') ?? [];
  expect(sources('connect-src')).toEqual(["'self'", 'ws://localhost:8080', 'https://tiles.example.com']);
  expect(sources('img-src')).toContain('https://tiles.example.com');
  expect(sources('script-src')).toEqual(["'self'"]);
  await using own = await createTestServer({ environment: { MAP_STYLE_URL: '/map/style.json' } });
  const answer = await own.request('GET', '/healthz');
  expect(String(answer.headers['content-security-policy'])).toContain(
    "connect-src 'self' ws://localhost:8080;",
  );
});
