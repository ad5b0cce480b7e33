import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir, repositoryPath } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

/**
 * The recipes of docs/adding.md, each followed once and kept as a patch: it touches no more files than the recipe says, and all of them together
 * compile. So that each applies by itself and beside the others they have one line of context, and touch different places of the same lists.
 */

/** The files of code that each takes; with its test where the recipe says so. */
const most: Readonly<Record<string, number>> = {
  'alert-channel': 7,
  'audit-detail': 2,
  'cli-command': 2,
  'field-choice': 8,
  'field-number': 8,
  'field-text': 8,
  'list-page': 2,
  mail: 2,
  measurement: 6,
  'tunnel-kind': 8,
};

const fixtures = repositoryPath('tools/fixtures/adding');
const names = (await readdir(fixtures)).map((file) => file.replace(/\.patch$/, '')).sort();

let copy: Awaited<ReturnType<typeof makeTempDir>>;

/** What a compiler reads, with the installed packages; those that are ours are the copy's own. */
beforeAll(async () => {
  copy = await makeTempDir('adding');
  const folders = ['apps', 'packages', 'tools', 'tests', 'bench', '*.json', '*.config.ts'];
  const args = ['ls-files', '-co', '--exclude-standard', '--', ...folders];
  const { output } = await run('git', args, repositoryPath('.'));
  for (const path of output.split('\n').filter((each) => /\.(m?js|tsx?|json|css)$/.test(each))) {
    // One that is deleted and not committed yet is listed, too.
    await cp(repositoryPath(path), join(copy.path, path)).catch(() => {});
  }
  const modules = repositoryPath('node_modules');
  await mkdir(join(copy.path, 'node_modules'));
  for (const name of await readdir(modules)) {
    const target = join(copy.path, 'node_modules', name);
    if (name === '@pult') await cp(join(modules, name), target, { recursive: true, verbatimSymlinks: true });
    else if (name !== '.cache') await symlink(join(modules, name), target);
  }
}, 120_000);
afterAll(() => copy[Symbol.asyncDispose]());

function run(command: string, args: string[], cwd: string): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }),
    );
  });
}

test('every recipe has a number of files', () => {
  expect(Object.keys(most)).toEqual(expect.arrayContaining(names));
});

test.each(names)('the recipe of %s takes no more files than it says', async (name) => {
  const patch = await readFile(join(fixtures, `${name}.patch`), 'utf8');
  const files = patch.match(/^diff --git /gm) ?? [];
  expect(files.length).toBeGreaterThan(0);
  expect(files.length).toBeLessThanOrEqual(most[name] ?? 0);
});

test('the recipes compile', async () => {
  for (const name of names) {
    const applied = await run('git', ['apply', join(fixtures, `${name}.patch`)], copy.path);
    expect([name, applied]).toEqual([name, { code: 0, output: '' }]);
  }
  for (const project of ['tsconfig.json', 'apps/console/tsconfig.json']) {
    const compiler = ['node_modules/typescript-7/bin/tsc', '--project', project];
    expect((await run(process.execPath, compiler, copy.path)).output).toBe('');
  }
}, 600_000);
