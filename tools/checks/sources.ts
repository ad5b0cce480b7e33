import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand } from '../processes.mjs';

/** A file of the project: its path from the root, and what is in it. */
export interface Source {
  path: string;
  text: string;
}

/** The files of the project that match, new ones too, also in a copy without history; bad examples are left out. */
export async function readSources(patterns: string[]): Promise<Source[]> {
  const anyText = ['--files-with-matches', '-e', ''];
  const { output } = await runCommand('git', [
    'grep',
    '--no-index',
    '--exclude-standard',
    ...anyText,
    '--',
    ...patterns,
  ]);
  return output
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith('tools/fixtures/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
