/**
 * `npm run bench mutations [-- AREA… --share PERCENT --from PERCENT]`: breaks a copy of the sources in one place after
 * another and runs the tests beside them: a mutant that no test notices is a line that may break unseen. Prints the share
 * of killed mutants of each area and every survivor with its place; what seems to survive is judged once more by all
 * tests. `--share` takes that part of the places, the same each time, and `--from` another one. Left out are the console's texts and what it evaluates once, when it is loaded.
 * Not measured are mutants for which no test ran or failed that passes without them, those whose tests took too long,
 * and areas whose tests fail as they are.
 */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSources, type Source } from '../tools/checks/sources.ts';
import { type MutationArea, mutationAreas } from './mutations/areas.ts';
import { copyProject } from './mutations/copy.ts';
import { type MutantResult, mutate, sortResults } from './mutations/mutate.ts';
import { isNoticed } from './mutations/rejudge.ts';
import { formatTable, print } from './tunnel/figures.ts';

const { values: options, positionals: chosen } = parseArgs({
  options: { share: { type: 'string', default: '100' }, from: { type: 'string', default: '0' } },
  allowPositionals: true,
});

/** A sample is drawn in pieces of so many lines; a mutant that spans two pieces is not made. */
const pieceLines = 10;

const isMutated = ({ path }: Source) =>
  !/\.(test|fixture)\.tsx?$|\.d\.ts$|\/testing\/|messages(\/|\.ts$)/.test(path);

/** A place keeps its number from run to run, so that a large area can be measured in parts. */
function isDrawn(piece: string): boolean {
  const place = createHash('sha256').update(piece).digest().readUInt32BE() % 100;
  return place >= Number(options.from) && place < Number(options.from) + Number(options.share);
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

function describeMutant(mutant: MutantResult, copy: string): string {
  const { fileName, location, mutatorName, replacement, status, statusReason } = mutant;
  const path = fileName.replace(`${copy}/`, '');
  const lines = readFileSync(join(copy, path), 'utf8').split('\n');
  const line = lines[location.start.line - 1]?.trim() ?? '';
  const marks: Partial<Record<MutantResult['status'], string>> = {
    NoCoverage: 'not run',
    RuntimeError: `not measured: ${statusReason?.slice(0, 300)}`,
    Timeout: 'not measured: its tests took too long',
  };
  const mark = marks[status] ?? 'survived';
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
      rows.push([area.name, '', '', '', 'all']);
      process.exitCode = 1;
      continue;
    }
    const { killed, survived: unnoticed, notMeasured, leftOut } = sortResults(results);
    const survived: MutantResult[] = [];
    for (const mutant of unnoticed) {
      if (mutant.status === 'Survived' && (await isNoticed(area, mutant))) killed.push(mutant);
      else survived.push(mutant);
    }
    for (const mutant of [...survived, ...notMeasured]) print(describeMutant(mutant, copy));
    const all = killed.length + survived.length;
    const score = all === 0 ? '' : `${((100 * killed.length) / all).toFixed(1)} %`;
    const counts = [all, killed.length, score, notMeasured.length, leftOut.length];
    rows.push([area.name, ...counts.map(String)]);
    print(rows.at(-1)?.join('  ') ?? '');
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
print(formatTable([['Area', 'Mutants', 'Killed', 'Score', 'Not measured', 'Left out'], ...rows]));
