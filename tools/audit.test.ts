import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import { makeTempDir, runCommand } from '@pult/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { readRecords } from './audit/read-records.ts';
import { findVulnerable, type LockedVersion } from './audit/vulnerable.ts';

const audit = async (OSV_NPM: string) => {
  const run = fileURLToPath(new URL('run.mjs', import.meta.url));
  return runCommand(process.execPath, [run, 'audit'], { env: { ...process.env, OSV_NPM } });
};

async function makeFolder(records: Record<string, unknown>): Promise<string> {
  const folder = await makeTempDir('osv');
  onTestFinished(() => folder.remove());
  await mkdir(join(folder.path, 'npm'));
  for (const [name, record] of Object.entries(records))
    await writeFile(join(folder.path, 'npm', `${name}.json`), JSON.stringify(record));
  return folder.path;
}

const affects = (name: string, events: unknown[], more: object = {}) => ({
  id: 'GHSA-test',
  summary: 'A fault',
  database_specific: { severity: 'HIGH' },
  affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }],
  ...more,
});
const lock = (name: string, version: string, isDev = false): LockedVersion => ({ name, version, isDev });

async function list(packages: LockedVersion[], records: Record<string, unknown>) {
  const { found } = await findVulnerable(packages, readRecords(await makeFolder(records)));
  return found.map(({ name, version, id }) => `${name} ${version} ${id}`);
}

test('a locked version is found by ranges: from where it was introduced to where it was fixed, or last there', async () => {
  const versions = ['1.0.0-rc.1', '1.0.0', '1.4.9', '1.5.0', '2.0.0', '2.1.0', '2.1.1', '3.0.0'];
  const packages = versions.map((version) => lock('left', version));
  const events = [
    { introduced: '2.0.0' },
    { last_affected: '2.1.0' },
    { introduced: '1.0.0' },
    { fixed: '1.5.0' },
  ];
  expect(await list(packages, { one: affects('left', events) })).toEqual(
    ['1.0.0', '1.4.9', '2.0.0', '2.1.0'].map((version) => `left ${version} GHSA-test`),
  );
  const always = [{ introduced: '0' }];
  expect(await list([lock('left', '0.0.1-alpha')], { one: affects('left', always) })).toHaveLength(1);
});

test('a locked version is found in a list of versions, and by the whole name of its package alone', async () => {
  const malware = {
    id: 'MAL-1',
    affected: [{ package: { ecosystem: 'npm', name: '@scope/left' }, versions: ['1.2.3'] }],
  };
  const packages = [lock('@scope/left', '1.2.3'), lock('@scope/left', '1.2.4'), lock('left', '1.2.3')];
  expect(await list(packages, { malware })).toEqual(['@scope/left 1.2.3 MAL-1']);
});

test('records that were withdrawn, of other ecosystems, and ranges of commits count for nothing', async () => {
  const all = [{ introduced: '0' }];
  const python = affects('left', all);
  python.affected = [{ ...python.affected[0], package: { ecosystem: 'PyPI', name: 'left' } }] as never;
  const git = affects('left', all);
  git.affected = [{ ...git.affected[0], ranges: [{ type: 'GIT', events: all }] }] as never;
  const withdrawn = affects('left', all, { withdrawn: '2026-01-01T00:00:00Z' });
  expect(await list([lock('left', '1.0.0')], { python, git, withdrawn })).toEqual([]);
});

test('records are read as sources really write them', async () => {
  const packages = [lock('left', '1.2.0'), lock('left', '1.3.0'), lock('left', '2.0.0')];
  const find = async (record: unknown) => {
    const { found } = await findVulnerable(packages, readRecords(await makeFolder({ record })));
    return found.map(({ version }) => version).join(' ');
  };
  const by = (events: unknown[], more?: object) => find(affects('left', events, more));
  // Never fixed; the last one that is known stands beside the range, and says nothing of later ones.
  expect(await by([{ introduced: '1.3.0' }])).toBe('1.3.0 2.0.0');
  expect(await by([{ introduced: '0' }, { last_affected: '1.2' }])).toBe('1.2.0');
  expect(await by([{ introduced: 'v1.3.0' }, { fixed: '2' }])).toBe('1.3.0');
  expect(await by([{ introduced: '0' }, { limit: '1.3.0' }])).toBe('1.2.0');
  expect(await by([{ introduced: '0' }, { limit: '*' }, { fixed: '1.3.0' }])).toBe('1.2.0');
  // No version at all: somebody has to look at it.
  expect(await by([{ introduced: '0' }, { fixed: 'next' }])).toBe('1.2.0 1.3.0 2.0.0');
  const shown = { summary: null, database_specific: { severity: null, cwe_ids: [] }, withdrawn: null };
  expect(await by([{ introduced: '2.0.0' }], shown)).toBe('2.0.0');
  expect(await find({ id: 'GHSA-none', affected: null })).toBe('');
  const affected = [
    { ranges: [{ type: 'GIT', repo: 'left', events: [{ introduced: '0' }] }] },
    { package: { ecosystem: 'npm', name: 'left' }, versions: null, ranges: null },
    { package: { ecosystem: 'npm', name: 'left' }, versions: ['1.3.0'] },
  ];
  expect(await find({ id: 'MAL-1', affected, database_specific: { origins: [{ source: 'x' }] } })).toBe(
    '1.3.0',
  );
});

test('a file that is no record is told by its name', async () => {
  const folder = await makeFolder({ broken: { summary: 'no id' } });
  await expect(findVulnerable([], readRecords(folder))).rejects.toThrow(
    'npm/broken.json is no record of OSV',
  );
});

test('the audit fails on a locked package of the list, passes without one, and says where there is no list', async () => {
  const left = affects('left-that-nobody-locks', [{ introduced: '0' }]);
  const zod = affects('zod', [{ introduced: '0' }]);
  // Locked under the name of typescript-7, too.
  const alias = affects('typescript', [{ introduced: '7.0.0' }]);
  const failed = await audit(await makeFolder({ zod, left, alias }));
  expect(failed.code).toBe(1);
  expect(failed.stdout + failed.stderr).toMatch(
    /zod \d+\.\d+\.\d+.*GHSA-test, HIGH, A fault, runs with Pult/,
  );
  expect(failed.stdout).toMatch(/typescript 7\.\d+\.\d+.*tools and tests/);
  const passed = await audit(await makeFolder({ left }));
  expect(passed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/no known vulnerability.*1 records/),
  });
  const empty = await audit(await makeFolder({}));
  expect(empty.code).toBe(1);
  expect(empty.stdout + empty.stderr).toContain('has no records of the npm ecosystem');
  expect(await audit('')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('OSV_NPM names no list'),
  });
}, 120_000);

test('the list may be a zip, as it is exported', async () => {
  const folder = await makeFolder({});
  const text = Buffer.from(JSON.stringify(affects('left', [{ introduced: '0' }])));
  const path = join(folder, 'all.zip');
  await writeFile(path, zip('GHSA-test.json', text));
  const { found, records } = await findVulnerable([lock('left', '1.0.0', true)], readRecords(path));
  expect({ records, found }).toMatchObject({ records: 1, found: [{ id: 'GHSA-test', isDev: true }] });
});

/** One deflated file (PKWARE's APPNOTE, 4.3). */
function zip(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02'),
    Buffer.from([20, 0]),
    common,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
