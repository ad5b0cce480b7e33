import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand } from '../processes.mjs';

/** The files of the project that match, new ones too, as paths from its root; bad examples are left out. */
export async function listSources(patterns) {
  const { output } = await runCommand('git', [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    ...patterns,
  ]);
  return output
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith('tools/fixtures/') && existsSync(join(root, path)));
}
