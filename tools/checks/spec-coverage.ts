/**
 * docs/spec-lines.md gives each line of the product's specification an id, and a test says above itself which lines it shows:
 * `// spec: 2.07`. The table in docs/spec-coverage.md is made of both by `npm run docs`. Here each line has a test that runs.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../check.ts';
import { root } from '../processes.mjs';
import { type DeclaredTest, listTests } from './list-tests.ts';
import { readSources, type Source } from './sources.ts';

const file = 'docs/spec-lines.md';
const testFiles = ['*.test.ts', '*.test.tsx', '*.spec.ts'];

interface SpecLine {
  id: string;
  text: string;
  /** The heading that it stands under. */
  section: string;
}

type FoundTest = DeclaredTest & { path: string };

export const specCoverage: Check = {
  name: 'spec coverage',
  async run() {
    const sources = await readSources(testFiles);
    return [...findGaps(readSpecLines(), sources), ...sources.flatMap(findSkipped)];
  },
};

/** The table of what shows which line, with its headings. */
export async function createSpecCoverage(): Promise<string> {
  const sources = await readSources(testFiles);
  return createTable(readSpecLines(), sources);
}

export function readSpecLines(text = readFileSync(join(root, file), 'utf8')): SpecLine[] {
  let section = '';
  return text.split('\n').flatMap((row) => {
    section = /^## (.*)/.exec(row)?.[1] ?? section;
    const [, id, line] = /^\| (\d+\.\d+) \| (.*) \|$/.exec(row) ?? [];
    return id !== undefined && line !== undefined ? [{ id, text: line, section }] : [];
  });
}

/** Lines that no test shows, and ids above tests that are none or stand above no test. */
export function findGaps(lines: readonly SpecLine[], sources: readonly Source[]): string[] {
  const tests = listShowing(sources);
  const shown = new Set(tests.filter(({ isSkipped }) => !isSkipped).flatMap(({ shows }) => shows));
  const ids = lines.map(({ id }) => id);
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [
    ...(lines.length === 0 ? [`${file} has no lines.`] : []),
    ...[...twice].map((id) => `${file} has ${id} twice.`),
    ...lines.filter(({ id }) => !shown.has(id)).map(({ id, text }) => `No test shows ${id}, "${text}".`),
    ...tests.flatMap(({ path, name, shows }) =>
      shows
        .filter((id) => !ids.includes(id))
        .map((id) => `${path} › ${name} shows ${id}, which is no line of ${file}.`),
    ),
    ...sources.flatMap(({ path, text }) => {
      const said = text.match(/^[ \t]*\/\/ spec:/gm)?.length ?? 0;
      const heard = tests.filter((test) => test.path === path && test.shows.length > 0).length;
      return said === heard ? [] : [`${path} has "// spec:" in another place than right above a test.`];
    }),
  ];
}

export function createTable(lines: readonly SpecLine[], sources: readonly Source[]): string {
  const tests = listShowing(sources);
  const cell = (id: string) => {
    const names = tests
      .filter(({ shows }) => shows.includes(id))
      .map(({ path, name }) => `\`${path} › ${name.replaceAll('|', '\\|')}\``);
    return [...new Set(names)].join('<br>');
  };
  const sections = [...new Set(lines.map(({ section }) => section))].map((section) => {
    const rows = lines.filter((line) => line.section === section);
    const table = rows.map(({ id, text }) => `| ${id} | ${text} | ${cell(id)} |`);
    return [`## ${section}`, '', '| Id | Line | Shown by |', '|---|---|---|', ...table, ''].join('\n');
  });
  return sections.join('\n');
}

function listShowing(sources: readonly Source[]): FoundTest[] {
  return sources
    .filter(({ text }) => text.includes('// spec:'))
    .flatMap((source) => listTests(source).map((test) => ({ ...test, path: source.path })));
}

function findSkipped(source: Source): string[] {
  return listTests(source).flatMap(({ name, isSkipped, isOnly }) => [
    ...(isOnly ? [`${source.path} › ${name} keeps every other test of its file from running.`] : []),
    ...(isSkipped ? [`${source.path} › ${name} is skipped.`] : []),
  ]);
}
