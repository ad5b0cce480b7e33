/** What of others Pult is made of: for the SBOM, and for THIRD-PARTY.md. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';
import {
  type LockedPackages,
  listRuntimePackages,
  nameOf,
  type Processor,
  processors,
  readLockedPackages,
  readNodePackage,
} from './locked-packages.ts';

/** A package of npm that runs with Pult, in one of its parts or more. */
export interface NpmComponent {
  name: string;
  version: string;
  /** By the names and expressions of SPDX. */
  license: string;
  /** As in the lockfile. */
  integrity: string;
  /** `server`, `console` and `agent`. */
  parts: string[];
  /** In the repository. */
  path: string;
}

const parts = ['server', 'console', 'agent'];

/** By name and version; once, wherever it is. */
export function listNpmComponents(
  wanted: readonly Processor[] = Object.keys(processors) as Processor[],
): NpmComponent[] {
  const packages = readLockedPackages();
  const found = new Map<string, NpmComponent>();
  for (const part of parts) {
    const paths = wanted.flatMap((processor) =>
      listRuntimePackages(packages, { folder: `apps/${part}`, processor }),
    );
    for (const path of new Set(paths)) {
      const component = readComponent(packages, path);
      const key = `${component.name}@${component.version}`;
      const { parts: known } = found.get(key) ?? component;
      if (!known.includes(part)) known.push(part);
      if (!found.has(key)) found.set(key, component);
    }
  }
  const node = wanted.map((processor) => ({
    ...readNodePackage(processor),
    license: 'MIT',
    parts: ['runtime'],
  }));
  return [...found.values(), ...node.map((entry) => ({ ...entry, path: '' }))].sort((one, other) =>
    `${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1,
  );
}

function readComponent(packages: LockedPackages, path: string): NpmComponent {
  const { name = nameOf(path), version = '', integrity = '', license } = packages[path] ?? {};
  return {
    name,
    version,
    integrity,
    license: license ?? readOldLicense(path),
    parts: [],
    path,
  };
}

/** In the form that npm does not take into the lockfile any more. */
function readOldLicense(path: string): string {
  const file = join(root, path, 'package.json');
  const manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const types = (manifest.licenses ?? []).map(({ type }: { type: string }) => type);
  if (types.length === 0) throw new Error(`${path} names no licence.`);
  return types.join(' OR ');
}
