/** Measurements against a peer in the same run: `npm run bench <name>`, or without a name what there is. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { root, runCommand, stopChildrenOnSignals } from './processes.mjs';
import { PlainError, print, runTool } from './terminal.mjs';

function listNames() {
  return readdirSync(join(root, 'bench'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}

stopChildrenOnSignals();
await runTool(async () => {
  const [name, ...args] = process.argv.slice(2);
  const names = listNames();
  if (name === undefined) {
    print('\n  npm run bench <name>\n');
    for (const known of names) print(`    ${known}`);
    print();
    return;
  }
  if (!names.includes(name))
    throw new PlainError(`There is no benchmark "${name}". There is: ${names.join(', ') || 'none'}`);
  await ensureInstalled();
  await ensureBuilt();
  const { code } = await runCommand(
    process.execPath,
    ['--import', 'tsx', join('bench', `${name}.ts`), ...args],
    {
      output: 'show',
    },
  );
  if (code !== 0) process.exitCode = code;
});
