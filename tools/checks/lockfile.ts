/**
 * npm ci refuses a lockfile that says something else than a package.json, and one that leaves out an optional package of
 * another platform. npm itself leaves those out when the registry it is used with has only some platforms, and on that
 * machine nobody notices.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Check } from '../check.ts';
import { root } from '../processes.mjs';

const dependencyKinds = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
] as const;

/** What a package.json or an entry of the lockfile asks for. */
type Manifest = Partial<Record<(typeof dependencyKinds)[number], Record<string, string>>>;
type Packages = Record<string, Manifest>;

export const lockfile: Check = {
  name: 'lockfile',
  async run() {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const read = (path: string): Manifest =>
      JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    return [...findMissingPackages(packages), ...findDifferences(packages, read)];
  },
};

/** `read` gives the package.json of one of our own folders. */
export function findDifferences(packages: Packages, read: (path: string) => Manifest): string[] {
  const own = Object.entries(packages).filter(([path]) => !path.includes('node_modules/'));
  return own.flatMap(([path, entry]) => {
    const manifest = read(path);
    return dependencyKinds
      .filter((kind) => !isDeepStrictEqual(sorted(manifest[kind]), sorted(entry[kind])))
      .map(
        (kind) => `package-lock.json has other ${kind} than ${join(path, 'package.json')}: run npm install.`,
      );
  });
}

function sorted(dependencies: Record<string, string> = {}) {
  return Object.entries(dependencies).sort(([first], [second]) => first.localeCompare(second));
}

export function findMissingPackages(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !isReachable(packages, path, name))
      .map((name) => `package-lock.json has no entry for ${name}, which ${path || 'the project'} asks for.`),
  );
}

/** Node's look-up: beside the package, then in every folder above it. */
function isReachable(packages: Packages, path: string, name: string): boolean {
  let folder = path;
  for (;;) {
    if (packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`]) return true;
    if (folder === '') return false;
    const above = folder.lastIndexOf('/node_modules/');
    folder = above < 0 ? '' : folder.slice(0, above);
  }
}
