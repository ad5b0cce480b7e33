/**
 * Makes a release of what is committed: `npm run release [-- VERSION]`, by default the version of package.json. Writes the version into every
 * package.json and the lockfile and gives the changelog its section; then says how to commit and tag it.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand } from './processes.mjs';
import { PlainError, print } from './terminal.mjs';

export async function main([given, ...rest]: string[]): Promise<void> {
  if (rest.length > 0) throw new PlainError('Name one version: npm run release -- 1.2.3');
  const date = new Date().toISOString().slice(0, 10);
  const tag = await prepareRelease(root, { given, date });
  print(`Look at it with git diff, then:\n`);
  print(`  git commit -am "release: ${tag}" && git tag -a ${tag} -m ${tag}\n`);
}

/** Returns the name of the tag. Refuses, and writes nothing, where the tree has changes or the version was released before. */
export async function prepareRelease(
  folder: string,
  { given, date }: { given?: string | undefined; date: string },
): Promise<string> {
  const version = given ?? readJson(join(folder, 'package.json')).version ?? '';
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    throw new PlainError(`${version} is no version, such as 1.2.3.`);
  const tag = `v${version}`;
  const git = async (...args: string[]) => {
    const { code, output } = await runCommand('git', args, { cwd: folder });
    if (code !== 0) throw new PlainError(output.trim());
    return output.trim();
  };
  const changed = await git('status', '--porcelain');
  if (changed !== '') throw new PlainError(`Commit or stash what has changed first:\n\n${changed}`);
  if ((await git('tag', '--list', tag)) !== '') throw new PlainError(`${tag} was released before.`);
  const changelog = join(folder, 'CHANGELOG.md');
  const text = addSection(readFileSync(changelog, 'utf8'), { version, date });
  for (const path of listManifests(folder)) {
    writeJson(path, setVersion(readJson(path), version));
  }
  const lockfile = join(folder, 'package-lock.json');
  const locked = readJson(lockfile);
  for (const [path, entry] of Object.entries(locked.packages ?? {})) {
    if (!path.includes('node_modules/') && entry.version) setVersion(entry, version);
  }
  writeJson(lockfile, { ...locked, version });
  writeFileSync(changelog, text);
  return tag;
}

/** What is unreleased becomes the section of the version. */
function addSection(text: string, { version, date }: { version: string; date: string }): string {
  const head = '## [Unreleased]\n';
  const [before, after] = text.split(head);
  if (after === undefined) throw new PlainError('CHANGELOG.md has no section [Unreleased].');
  if (after.includes(`## [${version}]`))
    throw new PlainError(`CHANGELOG.md has a section of ${version} already.`);
  if (after.trimStart().startsWith('## ') || after.trim() === '')
    throw new PlainError('CHANGELOG.md tells of no change since the last release.');
  return `${before}${head}\n## [${version}] - ${date}\n${after}`;
}

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  /** Of a lockfile. */
  packages?: Record<string, Manifest>;
}

function listManifests(folder: string): string[] {
  const workspaces = ['apps', 'packages'].flatMap((name) =>
    readdirSync(join(folder, name)).map((child) => join(folder, name, child, 'package.json')),
  );
  return [join(folder, 'package.json'), ...workspaces].filter((path) => existsSync(path));
}

/** Its own, and that of the packages of ours that it asks for. */
function setVersion(manifest: Manifest, version: string): Manifest {
  manifest.version = version;
  for (const dependencies of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(dependencies ?? {})) {
      if (dependencies && name.startsWith('@pult/')) dependencies[name] = version;
    }
  }
  return manifest;
}

function readJson(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function writeJson(path: string, content: Manifest): void {
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}
