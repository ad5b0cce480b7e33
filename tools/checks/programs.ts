/** Checks that are one run of an installed program. */

import { join } from 'node:path';
import type { Check } from '../check.ts';
import { root, runPackageProgram } from '../processes.mjs';

const program = (name: string, bin: string, args: string[]): Check => ({
  name,
  async run() {
    const { code, output } = await runPackageProgram(bin, args);
    return code === 0 ? [] : [output.trim() || `${bin} ended with code ${code}`];
  },
});

const types = (name: string, project: string) =>
  program(name, 'tsc', [
    '--project',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    join(root, '.cache', `${name.replaceAll(' ', '-')}.tsbuildinfo`),
  ]);

export const lint = program('lint', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=100', '.']);
export const serverTypes = types('types', 'tsconfig.json');
export const consoleTypes = types('console types', 'apps/console/tsconfig.json');
export const deadCode = program('dead code', 'knip', ['--no-progress']);
