/** Runs a tool that is written in TypeScript: `node tools/run.mjs check`. Its `main` gets the arguments that follow. */

import { ensureTypeScript } from './install.mjs';
import { stopChildrenOnSignals } from './processes.mjs';
import { runTool } from './terminal.mjs';

const [name, ...args] = process.argv.slice(2);

stopChildrenOnSignals();
await runTool(async () => {
  await ensureTypeScript();
  /** @type {{ main: (args: string[]) => Promise<void> }} */
  const { main } = await import(`./${name}.ts`);
  await main(args);
});
