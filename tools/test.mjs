/** Everything that CI runs: `npm test`. Its last line says how many checks and tests passed. */

import { ensureTypeScript } from './install.mjs';
import { stopChildrenOnSignals } from './processes.mjs';
import { bold, print, red, runTool } from './terminal.mjs';

let isPrepared = false;

stopChildrenOnSignals();
print(`\n${bold('Preparation')}\n`);
await runTool(async () => {
  await ensureTypeScript();
  const { ensureSystemPackages } = await import('./system-packages.ts');
  await ensureSystemPackages();
  isPrepared = true;
  const { runParts } = await import('./test-parts.ts');
  await runParts();
});
if (!isPrepared) print(red('0 passed, 1 failed'));
