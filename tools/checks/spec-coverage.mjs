/**
 * docs/spec-coverage.md says for each line of the specification which tests show it. A row counts only while its tests
 * exist and run; what has none says which issue it waits for.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand } from '../processes.mjs';
import { listTests } from './list-tests.mjs';

const file = 'docs/spec-coverage.md';
const topics = ['People', 'Fleet', 'Device data', 'Tunnels'];

export const specCoverage = {
  name: 'spec coverage',
  async run() {
    const rows = readRows(readFileSync(join(root, file), 'utf8'));
    const testsOf = createTestReader();
    const problems = rows.length === 0 ? [`${file} has no rows.`] : [];
    for (const row of rows) problems.push(...(await checkRow(row, testsOf)));
    return [...problems, ...(await findUnexplainedSkips(rows, testsOf))];
  },
};

/** The tables' rows as `{ line, spec, tests: [{ file, name }], open }`; `open` is the issue's topic. */
export function readRows(text) {
  return text.split('\n').flatMap((source, index) => {
    const cells = source
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (cells.length !== 3 || cells[0] === '§' || /^:?-+:?$/.test(cells[0])) return [];
    const entries = cells[2].split('<br>').map((entry) => entry.trim().replaceAll('\\|', '|'));
    const open = entries.find((entry) => entry.startsWith('open: '))?.slice('open: '.length);
    const tests = entries
      .filter((entry) => entry !== '' && !entry.startsWith('open: '))
      .map((entry) => entry.replace(/^`|`$/g, '').split(' › '))
      .map(([path, ...name]) => ({ file: path, name: name.join(' › ') }));
    return [{ line: index + 1, spec: cells[1], tests, open }];
  });
}

export async function checkRow({ line, tests, open }, testsOf) {
  const problems = [];
  const say = (text) => problems.push(`${file}:${line}: ${text}`);
  if (open !== undefined && !topics.includes(open))
    say(`"open: ${open}" names none of ${topics.join(', ')}.`);
  if (tests.length === 0 && open === undefined) say('names neither a test nor an open topic.');
  for (const test of tests) {
    const found = await testsOf(test.file);
    if (!found) say(`there is no test file ${test.file}.`);
    else if (!found.some(({ name }) => name === test.name)) say(`${test.file} has no test "${test.name}".`);
    else if (open === undefined && found.every(({ name, isSkipped }) => name !== test.name || isSkipped)) {
      say(`${test.file} › ${test.name} is skipped, and the row is not open.`);
    }
  }
  return problems;
}

async function findUnexplainedSkips(rows, testsOf) {
  const { output } = await runCommand('git', [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.test.ts',
    '*.test.tsx',
    '*.spec.ts',
  ]);
  const problems = [];
  for (const path of output.split('\n').filter((name) => name !== '' && existsSync(join(root, name)))) {
    for (const test of (await testsOf(path)) ?? []) {
      if (test.isOnly)
        problems.push(`${path} › ${test.name} keeps every other test of its file from running.`);
      if (!test.isSkipped) continue;
      const row = rows.find(
        ({ tests, open }) =>
          open !== undefined && tests.some((entry) => entry.file === path && entry.name === test.name),
      );
      if (!row) problems.push(`${path} › ${test.name} is skipped, and no open row of ${file} names it.`);
    }
  }
  return problems;
}

function createTestReader() {
  const known = new Map();
  return async (path) => {
    if (!known.has(path)) {
      const full = join(root, path);
      const isTest = /\.(test|spec)\.tsx?$/.test(path) && existsSync(full);
      known.set(path, isTest ? await listTests(path, readFileSync(full, 'utf8')) : undefined);
    }
    return known.get(path);
  };
}
