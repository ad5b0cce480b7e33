/**
 * npm ci refuses a lockfile that leaves out an optional package of another platform. npm itself leaves them out when the
 * registry it is used with has only some platforms, and on that machine nobody notices.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';

export const lockfile = {
  name: 'lockfile',
  async run() {
    return findMissingPackages(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages);
  },
};

export function findMissingPackages(packages) {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !isReachable(packages, path, name))
      .map((name) => `package-lock.json has no entry for ${name}, which ${path || 'the project'} asks for.`),
  );
}

/** Node's look-up: beside the package, then in every folder above it. */
function isReachable(packages, path, name) {
  let folder = path;
  for (;;) {
    if (packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`]) return true;
    if (folder === '') return false;
    const above = folder.lastIndexOf('/node_modules/');
    folder = above < 0 ? '' : folder.slice(0, above);
  }
}
