/**
 * Every version is exact, and every package has the checksum of its content. npm ci refuses a lockfile that says something else than a package.json, and one that leaves out an optional package of
 * another platform. npm itself leaves those out when the registry it is used with has only some platforms, and on that
 * machine nobody notices.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Check } from '../check.ts';
import {
  findLocked,
  isForLinux,
  type LockedPackages,
  type Processor,
  processors,
} from '../packaging/locked-packages.ts';
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
    return [...findMissingPackages(packages), ...findDifferences(packages, read), ...findUnpinned(packages)];
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
      .filter((name) => findLocked(packages, path, name) === undefined)
      .map((name) => `package-lock.json has no entry for ${name}, which ${path || 'the project'} asks for.`),
  );
}

/** An exact version, of an alias too, or a folder of ours. */
const exact = /^((npm:(@[^/]+\/)?[^@]+@)?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?|file:[a-z-]+)$/;

/** What could be something else tomorrow: a range in a package.json of ours, a package without its checksum. */
export function findUnpinned(packages: LockedPackages & Packages): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (path.includes('node_modules/')) return isPinned(entry) ? [] : [`${path} has no integrity.`];
    return dependencyKinds.flatMap((kind) =>
      Object.entries(entry[kind] ?? {})
        .filter(([, version]) => !exact.test(version))
        .map(([name, version]) => `${join(path, 'package.json')} asks for ${name} ${version}: pin it.`),
    );
  });
}

/**
 * A registry that has only some platforms tells no checksum of the others' tools: taken, as nothing of Pult's runs there.
 */
function isPinned(entry: LockedPackages[string]): boolean {
  if (entry.link || /^sha512-/.test(entry.integrity ?? '')) return true;
  const isOurs = Object.keys(processors).some((processor) => isForLinux(entry, processor as Processor));
  return !isOurs && entry.dev === true && entry.optional === true;
}
