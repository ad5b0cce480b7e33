import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runCommand } from '../../tools/processes.mjs';
import type { MutationArea } from './areas.ts';
import type { MutantResult } from './mutate.ts';

type Survivor = Pick<MutantResult, 'fileName' | 'location' | 'replacement'>;

/** The source with what stands at the mutant's place replaced. Lines and columns count from 1, the end is behind it. */
export function applyMutant(source: string, { location: { start, end }, replacement }: Survivor): string {
  const lines = source.split('\n');
  const offsetOf = ({ line, column }: { line: number; column: number }) =>
    lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  return source.slice(0, offsetOf(start)) + (replacement ?? '') + source.slice(offsetOf(end));
}

/** Folders and files: Vitest takes whatever begins so. */
const pathsOf = ({ tests }: MutationArea) => tests.map((glob) => glob.replace(/\*.*$/, ''));

async function areTestsGreen(area: MutationArea): Promise<boolean> {
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--bail=1', `--project=${area.project}`, ...pathsOf(area)];
  const { code } = await runCommand(process.execPath, args, { cwd: process.cwd() });
  return code === 0;
}

/**
 * Whether all tests of the area, run as the suite runs them, notice a mutant of the working folder that Stryker counts as
 * survived: a worker that is kept cannot prove every failure, and then counts it so. They must fail twice, on a busy
 * machine once may be chance.
 */
export async function isNoticed(area: MutationArea, survivor: Survivor): Promise<boolean> {
  const source = readFileSync(survivor.fileName, 'utf8');
  writeFileSync(survivor.fileName, applyMutant(source, survivor));
  try {
    return !(await areTestsGreen(area)) && !(await areTestsGreen(area));
  } finally {
    writeFileSync(survivor.fileName, source);
  }
}
