/** What package-lock.json says of the packages that a part of Pult needs when it runs. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodePackage } from '@pult/testkit';
import { root } from '../processes.mjs';

/** An entry of the lockfile, as far as we read it. */
export interface LockedPackage {
  /** Where its folder has another one. */
  name?: string;
  version?: string;
  integrity?: string;
  license?: string;
  /** The folder that a link of node_modules leads to. */
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

export type LockedPackages = Record<string, LockedPackage>;

/** Processors that Pult is made for, by Node's names, with Debian's. */
export const processors = { x64: 'amd64', arm64: 'arm64' } as const;
export type Processor = keyof typeof processors;

export function readLockedPackages(): LockedPackages {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
}

/** The Node.js that devices are given, and that is packed. */
export function readNodePackage(processor: Processor): NodePackage {
  return JSON.parse(readFileSync(join(root, 'deploy/agent-runtimes.json'), 'utf8'))[processor];
}

/** Where `name` is for the package at `path`, by Node's look-up: beside the package, then in every folder above it. */
export function findLocked(packages: LockedPackages, path: string, name: string): string | undefined {
  let folder = path;
  for (;;) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (folder === '') return undefined;
    const above = folder.lastIndexOf('/node_modules/');
    folder = above < 0 ? '' : folder.slice(0, above);
  }
}

/** Whether npm installs a package on Linux with glibc, which is what Pult's packages are made for. */
export function isForLinux({ os, cpu, libc }: LockedPackage, processor: Processor): boolean {
  return (
    (os?.includes('linux') ?? true) && (cpu?.includes(processor) ?? true) && (libc?.includes('glibc') ?? true)
  );
}

interface Wanted {
  /** One of our own folders, such as `apps/server`. */
  folder: string;
  /** Those of its dependencies that count; all unless told. */
  names?: readonly string[];
  processor: Processor;
}

/** Paths in the lockfile of all that these dependencies need when they run, sorted; our own packages are followed and left out. */
export function listRuntimePackages(
  packages: LockedPackages,
  { folder, names, processor }: Wanted,
): string[] {
  const found = new Set<string>();
  const visit = (from: string, name: string) => {
    const link = findLocked(packages, from, name);
    const path = (link && packages[link]?.link ? packages[link].resolved : link) ?? '';
    const entry = packages[path];
    if (!entry || found.has(path) || !isForLinux(entry, processor)) return;
    found.add(path);
    for (const next of listDependencies(entry)) visit(path, next);
  };
  for (const name of names ?? listDependencies(packages[folder] ?? {})) visit(folder, name);
  return [...found].filter((path) => path.includes('node_modules/')).sort();
}

function listDependencies(entry: LockedPackage): string[] {
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    (name) => !entry.peerDependenciesMeta?.[name]?.optional,
  );
  return [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers];
}

/** `@scope/name` of a path in the lockfile. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
