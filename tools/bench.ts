/** Measurements against a peer in the same run: `npm run bench <name>`, or without a name what there is. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { root, runCommand } from './processes.mjs';
import { PlainError, print } from './terminal.mjs';

export async function main([name, ...args]: string[]): Promise<void> {
  const names = listNames();
  if (name === undefined) {
    print('\n  npm run bench <name>\n');
    for (const known of names) print(`    ${known}`);
    print();
    return;
  }
  if (!names.includes(name))
    throw new PlainError(`There is no benchmark "${name}". There is: ${names.join(', ') || 'none'}`);
  await ensureBuilt();
  const { code } = await runCommand(
    process.execPath,
    ['--import', 'tsx', join('bench', `${name}.ts`), ...args],
    { output: 'show' },
  );
  if (code !== 0) process.exitCode = code;
}

function listNames(): string[] {
  return readdirSync(join(root, 'bench'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}
