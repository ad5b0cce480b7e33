/**
 * Which part of the release suite is due: `.ci/release-tested` holds of each part the paths that it is about, and the digest of
 * their content when the part was last seen to pass.
 */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand } from '../processes.mjs';
import { PlainError } from '../terminal.mjs';

export interface TestedPart {
  name: string;
  digest: string;
  /** Folders and files from the root on. */
  paths: string[];
}

const file = join(root, '.ci', 'release-tested');

export function parseTested(text: string): TestedPart[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [name = '', digest = '', ...paths] = line.split(/\s+/);
    return { name, digest, paths };
  });
}

export const readTested = () => parseTested(readFileSync(file, 'utf8'));

/** Of the committed content, not of a commit: rebases and shallow clones keep it. A path that matches nothing is refused. */
export async function digestOf(paths: readonly string[], folder = root): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    const { code, output } = await runCommand('git', ['ls-tree', '-r', 'HEAD', '--', path], { cwd: folder });
    if (code !== 0) throw new PlainError(`git could not list ${path}: ${output.trim()}`);
    if (output === '') throw new PlainError(`.ci/release-tested names ${path}, which matches no file.`);
    hash.update(output);
  }
  return hash.digest('hex').slice(0, 16);
}

/** The names of the parts whose paths have changed since they were last seen to pass. */
export async function listDue(names: readonly string[]): Promise<string[]> {
  const tested = readTested();
  const due: string[] = [];
  for (const name of names) {
    const part = tested.find((each) => each.name === name);
    if (!part) throw new PlainError(`.ci/release-tested has no line for the part ${name}.`);
    if ((await digestOf(part.paths)) !== part.digest) due.push(name);
  }
  return due;
}

/** Writes down that these parts passed on what is committed. */
export async function recordTested(names: readonly string[]): Promise<void> {
  const { output } = await runCommand('git', ['status', '--porcelain', '--', '.', ':!.ci', ':!docs/images']);
  if (output !== '') throw new PlainError('Commit first: the digests are of what is committed.');
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n').map(async (line) => {
    const [part] = parseTested(line);
    if (!part || !names.includes(part.name)) return line;
    return [part.name, await digestOf(part.paths), ...part.paths].join(' ');
  });
  writeFileSync(file, (await Promise.all(lines)).join('\n'));
}
