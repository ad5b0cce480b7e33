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

// The native compiler takes half of the processor's time. It has no API yet, so those who read code with the
// compiler (dependency-cruiser and checks of ours) have the version before it, whose program has the same name.
const types = (name: string, project: string) =>
  program(name, '../typescript-7/bin/tsc', [
    '--project',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    join(root, '.cache', `${name.replaceAll(' ', '-')}.tsbuildinfo`),
  ]);

export const lint = program('lint', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=100', '.']);
export const serverTypes = types('types', 'tsconfig.json');
export const consoleTypes = types('console types', 'apps/console/tsconfig.json');
/** What devices run, by the types of the oldest Node that they may have. */
export const agentTypes = types('agent types', 'apps/agent/tsconfig.json');
/** The same of people's computers. */
export const cliTypes = types('command line types', 'apps/cli/tsconfig.json');
export const deadCode = program('dead code', 'knip', ['--no-progress']);
