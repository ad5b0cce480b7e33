/**
 * The everyday suite: `npm test`. Its last line says how many checks and tests passed. `--record` writes down how long its parts took;
 * `--ci` adds the parts of the release suite that are due, and ends what takes too long.
 */

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
  const { runEveryday } = await import('./suite/everyday.ts');
  await runEveryday(process.argv.slice(2));
});
if (!isPrepared) print(red('0 passed, 1 failed'));
