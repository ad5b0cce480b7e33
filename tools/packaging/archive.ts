/** A folder as one file, the same bytes for the same content. */

import { runCommand } from '../processes.mjs';
import { PlainError } from '../terminal.mjs';

/** Owned by nobody in particular, in one order, and as old as the commit. */
export async function packFolder(folder: { parent: string; name: string }, path: string): Promise<void> {
  const { code, output } = await runCommand('tar', [
    ...['--create', '--file', path, '--use-compress-program', 'gzip -n'],
    ...['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go+rX,go-w'],
    ...['--format=gnu', `--mtime=@${await findTime()}`],
    ...['--directory', folder.parent, folder.name],
  ]);
  if (code !== 0) throw new PlainError(`tar could not write ${path}.\n\n${output.trim()}`);
}

/** Of the commit, in seconds; 0 where there is no git. SOURCE_DATE_EPOCH goes before it, as elsewhere. */
export async function findTime(): Promise<number> {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given) return Number(given);
  const { code, output } = await runCommand('git', ['log', '-1', '--format=%ct']).catch(() => ({
    code: 1,
    output: '',
  }));
  return code === 0 ? Number(output) : 0;
}
