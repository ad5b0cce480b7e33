/**
 * docs/spec-coverage.md says for each line of the specification which tests show it. A row counts only while its tests
 * exist and run; what has none says which issue it waits for.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../check.ts';
import { root } from '../processes.mjs';
import { type DeclaredTest, listTests } from './list-tests.ts';
import { readSources } from './sources.ts';

const file = 'docs/spec-coverage.md';
const topics = ['People', 'Fleet', 'Device data', 'Tunnels'];

interface Row {
  line: number;
  spec: string;
  tests: { file: string; name: string }[];
  /** The topic of the issue that it waits for. */
  open: string | undefined;
  /** Of a test that was taken out, say, and that nothing has replaced. */
  hasEmptyEntry: boolean;
}

type TestsByFile = ReadonlyMap<string, readonly DeclaredTest[]>;

export const specCoverage: Check = {
  name: 'spec coverage',
  async run() {
    const rows = readRows(readFileSync(join(root, file), 'utf8'));
    const sources = await readSources(['*.test.ts', '*.test.tsx', '*.spec.ts']);
    const tests = new Map(sources.map((source) => [source.path, listTests(source)]));
    return [
      ...(rows.length === 0 ? [`${file} has no rows.`] : []),
      ...rows.flatMap((row) => checkRow(row, tests)),
      ...findUnexplainedSkips(rows, tests),
    ];
  },
};

/** The rows of the tables. */
export function readRows(text: string): Row[] {
  return text.split('\n').flatMap((source, index) => {
    const cells = source
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [paragraph = '', spec = '', shown = ''] = cells;
    if (cells.length !== 3 || paragraph === '§' || /^:?-+:?$/.test(paragraph)) return [];
    const entries = shown.split('<br>').map((entry) => entry.trim().replaceAll('\\|', '|'));
    const open = entries.find((entry) => entry.startsWith('open: '))?.slice('open: '.length);
    const tests = entries
      .filter((entry) => entry !== '' && !entry.startsWith('open: '))
      .map((entry) => entry.replace(/^`|`$/g, '').split(' › '))
      .map(([path = '', ...name]) => ({ file: path, name: name.join(' › ') }));
    const hasEmptyEntry = shown !== '' && entries.includes('');
    return [{ line: index + 1, spec, tests, open, hasEmptyEntry }];
  });
}

export function checkRow({ line, tests, open, hasEmptyEntry }: Row, known: TestsByFile): string[] {
  const problems: string[] = [];
  const say = (text: string) => problems.push(`${file}:${line}: ${text}`);
  if (open !== undefined && !topics.includes(open))
    say(`"open: ${open}" names none of ${topics.join(', ')}.`);
  if (hasEmptyEntry) say('has an empty entry.');
  if (tests.length === 0 && open === undefined) say('names neither a test nor an open topic.');
  for (const test of tests) {
    const found = known.get(test.file);
    if (!found) say(`there is no test file ${test.file}.`);
    else if (!found.some(({ name }) => name === test.name)) say(`${test.file} has no test "${test.name}".`);
    else if (open === undefined && found.every(({ name, isSkipped }) => name !== test.name || isSkipped)) {
      say(`${test.file} › ${test.name} is skipped, and the row is not open.`);
    }
  }
  return problems;
}

function findUnexplainedSkips(rows: Row[], known: TestsByFile): string[] {
  const problems: string[] = [];
  for (const [path, tests] of known) {
    for (const test of tests) {
      if (test.isOnly)
        problems.push(`${path} › ${test.name} keeps every other test of its file from running.`);
      if (!test.isSkipped) continue;
      const row = rows.find(
        ({ tests: named, open }) =>
          open !== undefined && named.some((entry) => entry.file === path && entry.name === test.name),
      );
      if (!row) problems.push(`${path} › ${test.name} is skipped, and no open row of ${file} names it.`);
    }
  }
  return problems;
}
