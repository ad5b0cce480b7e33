/** Who imports whom: the rules of .dependency-cruiser.cjs over our code, and proof that each of them can fail. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ICruiseResult, IViolation } from 'dependency-cruiser';
import type { Check } from '../check.ts';
import { root, runPackageProgram } from '../processes.mjs';

const configuration = join(root, '.dependency-cruiser.cjs');
const fixture = join(root, 'tools', 'fixtures', 'architecture');
/** A project this size never shrinks below it; fewer means that TypeScript files were not understood. */
const fewestModules = 20;

export const architecture: Check = {
  name: 'architecture',
  async run() {
    const [ours, bad] = await Promise.all([
      cruise(root, ['apps', 'packages', 'tests', 'bench']),
      cruise(fixture, ['apps', 'packages']),
    ]);
    return [...findUnseen(ours, bad), ...ours.summary.violations.map(describe)];
  },
};

async function cruise(directory: string, folders: string[]): Promise<ICruiseResult> {
  const { output } = await runPackageProgram(
    'depcruise',
    [
      '--config',
      configuration,
      '--output-type',
      'json',
      ...folders.filter((folder) => existsSync(join(directory, folder))),
    ],
    { cwd: directory },
  );
  try {
    return JSON.parse(output);
  } catch {
    throw new Error(`dependency-cruiser gave no report:\n${output}`);
  }
}

/** Reasons not to believe a clean report. */
function findUnseen(ours: ICruiseResult, bad: ICruiseResult): string[] {
  const problems: string[] = [];
  const withImports = ours.modules.filter(
    ({ source, dependencies }) => /^(apps|packages)\/.*\.tsx?$/.test(source) && dependencies.length > 0,
  );
  if (withImports.length < fewestModules) {
    problems.push(
      `Only ${withImports.length} TypeScript files with imports were seen: is TypeScript support there?`,
    );
  }
  const broken = new Set(bad.summary.violations.map((violation) => violation.rule.name));
  for (const { name } of bad.summary.ruleSetUsed?.forbidden ?? []) {
    if (name && !broken.has(name))
      problems.push(`The rule ${name} finds nothing in tools/fixtures/architecture, where it must.`);
  }
  for (const { from } of bad.summary.violations) {
    if (/\/good\.[^/]*$/.test(from)) problems.push(`${from} of the fixture breaks no rule but was refused.`);
  }
  return problems;
}

function describe({ rule, from, to, cycle }: IViolation): string {
  const way = cycle ? [from, ...cycle.map((step) => step.name)].join(' → ') : `${from} → ${to}`;
  return `${rule.name}: ${way}`;
}
