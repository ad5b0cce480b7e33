import { describe, expect, test } from 'vitest';
import { findBrokenLinks } from './doc-links.ts';
import { listTests } from './list-tests.ts';
import { findDifferences, findMissingPackages, findUnpinned } from './lockfile.ts';
import { findLostStacks } from './logged-errors.ts';
import { createTable, findGaps, readSpecLines } from './spec-coverage.ts';

describe('links in docs', () => {
  const find = (text: string) => findBrokenLinks({ path: 'README.md', text });

  test('lead to files, folders and headings that are there, or out of the project', () => {
    const text =
      '[a](docs/adr) [b](tools/test.mjs) [c](https://example.com/x) [d](docs/self-hosting.md#self-hosting)';
    expect(find(text)).toEqual([]);
  });

  test.each([
    ['[a](docs/none.md)', 'README.md: docs/none.md leads nowhere.'],
    ['![a](docs/images/none.png)', 'README.md: docs/images/none.png leads nowhere.'],
    ['[a](docs/self-hosting.md#none)', 'README.md: docs/self-hosting.md#none names no heading there.'],
    ['<img src="none.png">', 'README.md: none.png leads nowhere.'],
  ])('links in docs are found broken in %s', (text, problem) => {
    expect(find(text)).toEqual([problem]);
  });

  test('links in docs inside code are none', () => {
    expect(find('`[a](none.md)`\n\n```\n[b](none.md)\n```\n')).toEqual([]);
  });
});

describe('the lockfile', () => {
  test('the lockfile has every package that another asks for', () => {
    const packages = {
      'node_modules/a': { dependencies: { b: '1' }, optionalDependencies: { '@x/linux': '1' } },
      'node_modules/a/node_modules/b': {},
    };
    expect(findMissingPackages(packages)).toEqual([
      'package-lock.json has no entry for @x/linux, which node_modules/a asks for.',
    ]);
    expect(findMissingPackages({ ...packages, 'node_modules/@x/linux': {} })).toEqual([]);
  });

  test('the lockfile has the dependencies of every package.json', () => {
    const packages = { '': { dependencies: { a: '1', b: '2' } }, 'apps/x': { devDependencies: { c: '1' } } };
    const manifests: Record<string, object> = {
      '': { dependencies: { b: '2', a: '1' } },
      'apps/x': { devDependencies: { c: '2' } },
    };
    expect(findDifferences(packages, (path) => manifests[path] ?? {})).toEqual([
      'package-lock.json has other devDependencies than apps/x/package.json: run npm install.',
    ]);
  });
});

describe('pinned packages', () => {
  const integrity = 'sha512-x';

  test.each([
    [{ '': { dependencies: { a: '1.2.3', b: 'npm:@x/b@1.0.0-beta.1' } } }],
    [{ 'node_modules/a': { version: '1.0.0', integrity }, 'node_modules/@pult/x': { link: true } }],
    [{ 'node_modules/a': { dev: true, optional: true, os: ['darwin'] } }],
  ])('pinned packages are taken: %j', (packages) => {
    expect(findUnpinned(packages)).toEqual([]);
  });

  test.each(['^1.2.3', '~1.2.3', '1.x', '*', 'latest', 'git+https://example.com/a.git', 'npm:@x/b@^1.0.0'])(
    'a version that is not exact is found: %s',
    (version) => {
      expect(findUnpinned({ 'apps/x': { devDependencies: { a: version } } })).toEqual([
        `apps/x/package.json asks for a ${version}: pin it.`,
      ]);
    },
  );

  test.each([
    {},
    { integrity: 'sha1-x' },
    { dev: true, optional: true, os: ['linux'], cpu: ['x64'] },
    { optional: true, os: ['darwin'] },
    { dev: true, os: ['darwin'] },
  ])('a package without its checksum is found: %j', (entry) => {
    expect(findUnpinned({ 'node_modules/a': entry })).toEqual(['node_modules/a has no integrity.']);
  });
});

describe('tests of a file', () => {
  const list = (text: string) => listTests({ path: 'x.test.ts', text });

  test('tests of a file are found in every form', () => {
    const found = list(`
      describe('group', () => { it('plain', () => {}); });
      test.each([[1], [2]])('each %s', () => {});
      it.each\`a\`('table', () => {});
      test(\`with \${1} value\`, () => {});
      other('no test', () => {});
    `);
    expect(found.map(({ name }) => name)).toEqual([
      'plain',
      'each %s',
      'table',
      expect.stringMatching(/^with .+ value$/),
    ]);
    expect(found.every(({ isSkipped, isOnly }) => !isSkipped && !isOnly)).toBe(true);
  });

  test('tests of a file that do not run are known, also by their group', () => {
    const found = list(`
      it.skip('a', () => {});
      describe.skip('group', () => { it('b', () => {}); });
      test.only('c', () => {});
    `);
    expect(found).toMatchObject([
      { name: 'a', isSkipped: true, isOnly: false },
      { name: 'b', isSkipped: true, isOnly: false },
      { name: 'c', isSkipped: false, isOnly: true },
    ]);
  });

  test('tests of a file say right above themselves which lines of the specification they show', () => {
    const found = list(
      [
        'describe("group", () => {',
        '  // Why it is so.',
        '  // spec: 1.01, 2.07',
        '  test.each([1])("a", () => {});',
        '  // Another comment.',
        '  test("b", () => {});',
        '});',
      ].join('\n'),
    );
    expect(found.map(({ shows }) => shows)).toEqual([['1.01', '2.07'], []]);
  });
});

describe('spec coverage', () => {
  const lines = readSpecLines('## 1. One\n| Id | Line |\n|---|---|\n| 1.01 | a line |\n');
  const find = (...text: string[]) => findGaps(lines, [{ path: 'a.test.ts', text: text.join('\n') }]);
  const tag = '// spec: 1.01';
  const works = "test('works', () => {});";

  test('a line of the specification is shown by a test that says so and runs', () => {
    expect(find(tag, works)).toEqual([]);
  });

  test.each([
    ['No test shows 1.01, "a line".', [works]],
    ['No test shows 1.01, "a line".', [tag, "test.skip('later', () => {});"]],
    ['a.test.ts › works shows 1.02, which is no line of docs/spec-lines.md.', ['// spec: 1.01, 1.02', works]],
    ['a.test.ts has "// spec:" in another place than right above a test.', [tag, works, tag]],
    [
      'a.test.ts has "// spec:" in another place than right above a test.',
      [tag, `describe('group', () => {`, tag, works, '});'],
    ],
  ])('spec coverage says: %s', (problem, text) => {
    expect(find(...text)).toEqual([problem]);
  });

  test('an id that two lines have, and a file without lines, are found', () => {
    const [line] = lines;
    const source = { path: 'a.test.ts', text: `${tag}\n${works}` };
    expect(findGaps(line ? [line, line] : [], [source])).toEqual(['docs/spec-lines.md has 1.01 twice.']);
    expect(findGaps([], [])).toEqual(['docs/spec-lines.md has no lines.']);
  });

  test('the table of the coverage names the tests of each line under its heading', () => {
    const source = { path: 'a.test.ts', text: `${tag}\ntest('a | b', () => {});` };
    const row = '| 1.01 | a line | `a.test.ts › a \\| b` |';
    expect(createTable(lines, [source])).toBe(
      `## 1. One\n\n| Id | Line | Shown by |\n|---|---|---|\n${row}\n`,
    );
  });
});

describe('logged errors', () => {
  test.each([
    "log.warn({ error: error.message }, 'no');",
    "log.error({ id, error }, 'no');",
    "dependencies.log.error(\n  { id, err: error, text: (error as Error).message },\n  'no',\n);",
  ])('a log without the stack is found: %s', (text) => {
    expect(findLostStacks({ path: 'x.ts', text })).toEqual(['x.ts:1: log an error as { err: error }.']);
  });

  test.each(["log.warn({ err: error, id }, 'no');", "log.info({ size }, 'yes');"])(
    'a log with the stack is taken: %s',
    (text) => {
      expect(findLostStacks({ path: 'x.ts', text })).toEqual([]);
    },
  );
});
