/**
 * `npm run bench mutations [-- AREA… --share PERCENT]`: breaks a copy of the sources in one place after another and runs
 * the tests beside them: a mutant that no test notices is a line that may break unseen. Prints the share of killed
 * mutants of each area and every survivor with its place. `--share` takes that part of the places, the same each time.
 * Left out are the console's texts, what it evaluates once, when it is loaded, and mutants whose test fails without them too.
 */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { readSources, type Source } from '../tools/checks/sources.ts';
import { type MutationArea, mutationAreas } from './mutations/areas.ts';
import { copyProject } from './mutations/copy.ts';
import { formatTable } from './tunnel/figures.ts';

const { values: options, positionals: chosen } = parseArgs({
  options: { share: { type: 'string', default: '100' } },
  allowPositionals: true,
});
type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const print = (text: string) => void process.stdout.write(`${text}\n`);
/** A sample is drawn in pieces of so many lines; a mutant that spans two pieces is not made. */
const pieceLines = 10;

const isMutated = ({ path }: Source) =>
  !/\.(test|fixture)\.tsx?$|\.d\.ts$|\/testing\/|messages(\/|\.ts$)/.test(path);

function isDrawn(piece: string): boolean {
  return createHash('sha256').update(piece).digest().readUInt32BE() % 100 < Number(options.share);
}

/** What Stryker shall change: whole files, or the drawn pieces as `file:from-to`. */
async function listPlaces({ sources }: MutationArea): Promise<string[]> {
  const files = (await readSources(sources)).filter(isMutated);
  if (options.share === '100') return files.map(({ path }) => path);
  return files.flatMap(({ path, text }) => {
    const pieces = Math.ceil(text.split('\n').length / pieceLines);
    return Array.from(
      { length: pieces },
      (_, at) => `${path}:${at * pieceLines + 1}-${(at + 1) * pieceLines}`,
    ).filter(isDrawn);
  });
}

async function mutate(area: MutationArea, places: string[]): Promise<MutantResult[]> {
  process.env.MUTATION_TESTS = [area.project, ...area.tests].join(' ');
  return new Stryker({
    mutate: places,
    inPlace: true,
    testRunner: 'kept',
    plugins: ['@stryker-mutator/vitest-runner', join(copy, 'bench/mutations/runner.mjs')],
    vitest: { configFile: 'bench/mutations/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    timeoutMS: 120_000,
    // Each would take a console loaded anew, and most are styles.
    ignoreStatic: area.project === 'console',
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
    warnings: false,
    disableTypeChecks: false,
    // Most texts of a component are names of its styles and messages, which the compiler checks.
    mutator: { excludedMutations: area.project === 'console' ? ['StringLiteral'] : [] },
  }).runMutationTest();
}

const count = (results: MutantResult[], ...statuses: MutantResult['status'][]) =>
  results.filter(({ status }) => statuses.includes(status)).length;

function describeSurvivor(
  { fileName, location, mutatorName, replacement, status }: MutantResult,
  copy: string,
): string {
  const path = fileName.replace(`${copy}/`, '');
  const lines = readFileSync(join(copy, path), 'utf8').split('\n');
  const line = lines[location.start.line - 1]?.trim() ?? '';
  const mark = status === 'NoCoverage' ? 'not run' : 'survived';
  return `${path}:${location.start.line} ${mutatorName} ${mark}\n    ${line}\n    → ${replacement?.slice(0, 120)}`;
}

const areas = mutationAreas.filter(
  ({ name }) => chosen.length === 0 || chosen.some((start) => name.startsWith(start)),
);
const copy = await copyProject();
const rows: string[][] = [];
try {
  process.chdir(copy);
  for (const area of areas) {
    const places = await listPlaces(area);
    if (places.length === 0) continue;
    let results: MutantResult[];
    try {
      results = await mutate(area, places);
    } catch (error) {
      // Its tests do not pass as they are; the other areas have their own.
      print(`${area.name}: ${error instanceof Error ? error.message : error}`);
      rows.push([area.name, '', '', 'not measured']);
      process.exitCode = 1;
      continue;
    }
    const killed = count(results, 'Killed', 'Timeout');
    const survivors = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
    for (const survivor of survivors) print(describeSurvivor(survivor, copy));
    const all = killed + survivors.length;
    const score = all === 0 ? '' : `${((100 * killed) / all).toFixed(1)} %`;
    rows.push([area.name, `${all}`, `${killed}`, score, `${results.length - all}`]);
    print(rows.at(-1)?.join('  ') ?? '');
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
print(formatTable([['Area', 'Mutants', 'Killed', 'Score', 'Left out'], ...rows]));
