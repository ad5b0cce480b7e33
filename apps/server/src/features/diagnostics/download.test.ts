import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpClient } from '@pult/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  collectorOf,
  createArchive,
  createDiagnosticsFixture,
  type DiagnosticsFixture,
} from './diagnostics.fixture.ts';

let fixture: DiagnosticsFixture;
let dataDir: string;
let url: string;
let id: string;
const { bytes, sha256 } = createArchive();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pult-diagnostics-'));
  fixture = await createDiagnosticsFixture({ dataDir });
  const device = await fixture.addController('DOWNLOAD-1');
  await fixture.link(device, collectorOf(bytes));
  await fixture.request(device);
  ({ id } = await fixture.waitForEnd(device));
  url = `${fixture.server.publicUrl}/api/v1/download/${id}`;
});
afterAll(async () => {
  await fixture.close();
  await rm(dataDir, { recursive: true });
});

async function download(headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers: { cookie: fixture.owner.cookie, ...headers } });
  return { response, body: Buffer.from(await response.arrayBuffer()) };
}

// spec: 7.24
it('the download is the archive itself, as a file of a safe name, that no page can take for its own', async () => {
  const { response, body } = await download();
  expect(response.status).toBe(200);
  expect(body.equals(bytes)).toBe(true);
  const time = fixture.server.clock
    .now()
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[-:]/g, '')
    .replace('T', '-');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/gzip',
    'content-length': String(bytes.length),
    'content-disposition': `attachment; filename="diagnostics-DOWNLOAD-1-${time}.tar.gz"`,
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    etag: `"${sha256}"`,
  });
});

// spec: 7.24
it.each([
  ['bytes=0-9', 0, 10],
  ['bytes=50000-', 50_000, undefined],
  ['bytes=-10', -10, undefined],
])('gives the part %s', async (range, start, end) => {
  const { response, body } = await download({ range });
  expect(response.status).toBe(206);
  const part = bytes.subarray(start, end);
  expect(body.equals(part)).toBe(true);
  const from = start < 0 ? bytes.length + start : start;
  expect(response.headers.get('content-range')).toBe(
    `bytes ${from}-${from + part.length - 1}/${bytes.length}`,
  );
});

it('goes on with a part only of the same archive', async () => {
  const same = await download({ range: 'bytes=10-', 'if-range': `"${sha256}"` });
  expect(same.response.status).toBe(206);
  const other = await download({ range: 'bytes=10-', 'if-range': '"other"' });
  expect(other.response.status).toBe(200);
  expect(other.body.length).toBe(bytes.length);
  const known = await download({ 'if-none-match': `"${sha256}"` });
  expect([known.response.status, known.body.length]).toEqual([304, 0]);
});

it('says what the file does not have', async () => {
  const { response, body } = await download({ range: `bytes=${bytes.length}-`, 'accept-language': 'en' });
  expect(response.status).toBe(416);
  expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
  expect(JSON.parse(body.toString())).toMatchObject({ code: 'range_not_satisfiable' });
});

it('tells of the file without sending it', async () => {
  const { response, body } = await download({}, 'HEAD');
  expect([response.status, body.length]).toEqual([200, 0]);
  expect(response.headers.get('content-length')).toBe(String(bytes.length));
});

// spec: 7.24
it('the download is for members and up, and written down with who and what', async () => {
  const viewer = await fixture.addUser('viewer');
  expect((await fixture.call('downloadDiagnostic', { id }, viewer)).status).toBe(403);
  const member = await fixture.addUser('member');
  expect((await fixture.call('downloadDiagnostic', { id }, member)).status).toBe(200);
  const rows = await fixture.server.db
    .selectFrom('audit_events')
    .select(['subject', 'details', 'user_id'])
    .where('action', '=', 'diagnostic.downloaded')
    .where('user_id', '=', member.id)
    .execute();
  expect(rows).toEqual([{ subject: 'DOWNLOAD-1', user_id: member.id, details: { id, size: bytes.length } }]);
});

it('the download is refused for what has no archive, or has lost it', async () => {
  const device = await fixture.addController('NONE-1');
  const { body } = await fixture.request(device);
  const waiting = (body as { id: string }).id;
  expect(await fixture.call('downloadDiagnostic', { id: waiting })).toMatchObject({
    status: 404,
    body: { code: 'diagnostic_not_found' },
  });
  await fixture.server.server.archives.remove(id);
  expect(await fixture.call('downloadDiagnostic', { id })).toMatchObject({
    status: 404,
    body: { code: 'diagnostic_not_found' },
  });
});

it('a reader that leaves in the middle holds nothing open', async () => {
  const device = await fixture.addController('LEAVES-1');
  const large = createArchive(20_000_000);
  await fixture.link(device, collectorOf(large.bytes));
  await fixture.request(device);
  const ready = await fixture.waitForEnd(device);
  const client = new HttpClient();
  const answer = await client.request(`${fixture.server.publicUrl}/api/v1/download/${ready.id}`, {
    headers: { cookie: fixture.owner.cookie },
  });
  answer.body.destroy();
  const again = await fixture.call('downloadDiagnostic', { id: ready.id });
  expect(again.headers['content-length']).toBe(String(large.bytes.length));
});
