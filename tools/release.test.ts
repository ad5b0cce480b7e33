import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from './processes.mjs';
import { prepareRelease } from './release.ts';

const date = '2026-11-30';
let folder: string;

const write = (path: string, content: unknown) =>
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
async function git(...args: string[]) {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@pult.example'];
  const { code, output } = await runCommand('git', [...identity, ...args], { cwd: folder });
  if (code !== 0) throw new Error(output);
  return output;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pult-release-'));
  for (const name of ['apps', 'packages', 'packages/link']) mkdirSync(join(folder, name));
  const link = { name: '@pult/link', version: '0.1.0', dependencies: { ws: '8.0.0' } };
  const main = { name: 'pult', version: '0.1.0', devDependencies: { '@pult/link': '0.1.0' } };
  write('package.json', main);
  write('packages/link/package.json', link);
  const packages = { '': main, 'packages/link': link, 'node_modules/ws': { version: '8.0.0' } };
  write('package-lock.json', { name: 'pult', version: '0.1.0', packages });
  write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0]\n');
  await git('init', '--quiet');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'first');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a release has its version everywhere, its section in the changelog, and the name of its tag', async () => {
  expect(await prepareRelease(folder, { given: '0.2.0', date })).toBe('v0.2.0');
  expect(JSON.parse(read('package.json'))).toMatchObject({
    version: '0.2.0',
    devDependencies: { '@pult/link': '0.2.0' },
  });
  expect(JSON.parse(read('packages/link/package.json'))).toMatchObject({
    version: '0.2.0',
    dependencies: { ws: '8.0.0' },
  });
  const { version, packages } = JSON.parse(read('package-lock.json'));
  expect(version).toBe('0.2.0');
  expect(packages).toMatchObject({
    '': { version: '0.2.0', devDependencies: { '@pult/link': '0.2.0' } },
    'packages/link': { version: '0.2.0' },
    'node_modules/ws': { version: '8.0.0' },
  });
  expect(read('CHANGELOG.md')).toBe(
    `# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - ${date}\n\n### Added\n\n- A thing.\n\n## [0.1.0]\n`,
  );
});

test.each([
  ['a tree with changes', '0.2.0', () => write('new.txt', ''), /^Commit or stash .*\n\n\?\? new\.txt$/],
  ['a version that was tagged', '0.2.0', () => git('tag', 'v0.2.0'), 'v0.2.0 was released before.'],
  ['a version of the changelog', '0.1.0', () => {}, 'CHANGELOG.md has a section of 0.1.0 already.'],
  ['what is no version', 'next', () => {}, 'next is no version, such as 1.2.3.'],
])('a release of %s is refused, and nothing is written', async (_, given, prepare, reason) => {
  await prepare();
  const before = await git('status', '--porcelain');
  await expect(prepareRelease(folder, { given, date })).rejects.toThrow(reason);
  expect(await git('status', '--porcelain')).toBe(before);
});

test('a release without a change is refused', async () => {
  await prepareRelease(folder, { given: '0.2.0', date });
  await git('commit', '--quiet', '-am', 'release');
  await expect(prepareRelease(folder, { given: '0.3.0', date })).rejects.toThrow('tells of no change');
});
