import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createByteSource, hashByteSource, makeTempDir, runCommand, type TempDir } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { claim, openTunnel, type Site } from './site.ts';

let site: Site;
let folder: TempDir;

/** Runs curl with one jar of cookies; answers what it printed. */
async function curl(...args: string[]): Promise<string> {
  const jar = join(folder.path, 'cookies');
  const { host } = new URL(site.tunnelUrl);
  const { code, stdout, stderr } = await runCommand('curl', [
    ...['--silent', '--show-error', '--max-time', '50', '--cookie', jar, '--cookie-jar', jar],
    // Its own way to find names under `localhost` is younger than some systems.
    ...['--resolve', `${host}:127.0.0.1`, ...args],
  ]);
  if (code !== 0) throw new Error(`curl ended with ${code}: ${stderr}`);
  return stdout;
}

beforeAll(async () => {
  folder = await makeTempDir('curl');
  site = await startLightSite();
  await claim(site);
}, 120_000);
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

test('a script opens a tunnel by its address, and goes on with the cookie', async () => {
  expect(
    await curl('--output', '/dev/null', '--write-out', '%{http_code}', `${site.tunnelUrl}/headers`),
  ).toBe('401');
  const { tunnelRedirectUrl } = await openTunnel(site, 'http', '/headers');
  expect(JSON.parse(await curl('--location', tunnelRedirectUrl))).toMatchObject({ url: '/headers' });
  expect(JSON.parse(await curl(`${site.tunnelUrl}/headers?again`))).toMatchObject({ url: '/headers?again' });
  // The ticket was good once.
  const again = await curl('--output', '/dev/null', '--write-out', '%{http_code}', tunnelRedirectUrl);
  expect(again).toBe('400');
});

test('downloads and uploads are whole, with a length and without', async () => {
  const bytes = 8_000_000;
  const sha256 = hashByteSource(bytes);
  const file = join(folder.path, 'bytes');
  for (const path of [`/download/${bytes}`, `/download/${bytes}?chunked`]) {
    await curl('--output', file, site.tunnelUrl + path);
    expect(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ).toBe(sha256);
  }
  await writeFile(file, createByteSource(bytes));
  // It asks before (`Expect: 100-continue`) and is told to go on.
  const asked = ['--header', 'Expect: 100-continue', '--upload-file', file];
  expect(JSON.parse(await curl(...asked, `${site.tunnelUrl}/echo`))).toEqual({
    method: 'PUT',
    bytes,
    sha256,
  });
  const chunked = ['--header', 'Transfer-Encoding: chunked', '--data-binary', `@${file}`];
  expect(JSON.parse(await curl(...chunked, `${site.tunnelUrl}/echo`))).toEqual({
    method: 'POST',
    bytes,
    sha256,
  });
});

test('its offer of HTTP/2 is passed over, and many requests share a connection', async () => {
  const report = ['--write-out', '%{http_version} %{http_code} %{num_connects}\n', '--output', '/dev/null'];
  const url = `${site.tunnelUrl}/headers`;
  const printed = await curl('--http2', ...report, url, ...report.slice(2), url);
  expect(printed).toBe('1.1 200 1\n1.1 200 0\n');
});
