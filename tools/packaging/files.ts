/** The files of a packed Pult: what a machine needs that has neither npm nor a network. */

import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findNode, findPackage } from '@pult/testkit';
import { runtimePackages } from '../../apps/server/build.mjs';
import { root } from '../processes.mjs';
import { PlainError } from '../terminal.mjs';
import {
  listRuntimePackages,
  nameOf,
  type Processor,
  readLockedPackages,
  readNodePackage,
} from './locked-packages.ts';
import { createLicenseTexts } from './third-party.ts';

/** Nothing that runs reads these; of PostgreSQL, what programs are compiled with. */
const unread = /(\.d\.[cm]?ts|\.map|\.a|\/pkgconfig|\/pgxs)$/;

/** Of our own, by their place in the repository: the programs find each other by it. */
const ownFiles = [
  'apps/server/dist',
  'apps/server/package.json',
  'apps/console/dist',
  'apps/agent/dist',
  'apps/cli/dist',
  'apps/manual/dist',
  'LICENSE',
  'CHANGELOG.md',
  'THIRD-PARTY.md',
];

/** Puts the server, the console, the agent and their Node.js into `folder`, which is made: `folder/pult start` runs it. */
export async function layOut(
  folder: string,
  { processor, version }: { processor: Processor; version: string },
): Promise<void> {
  for (const path of ownFiles) copy(join(root, path), join(folder, path));
  const packages = readLockedPackages();
  const needed = listRuntimePackages(packages, { folder: 'apps/server', names: runtimePackages, processor });
  for (const path of needed) {
    const { version: wanted = '', integrity = '' } = packages[path] ?? {};
    copy(await findFiles({ path, version: wanted, integrity }), join(folder, path));
  }
  await addNode(join(folder, 'runtime'), processor);
  copy(join(root, 'deploy/pult'), join(folder, 'pult'));
  copy(join(root, 'deploy/is-ready.mjs'), join(folder, 'is-ready.mjs'));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), createLicenseTexts(processor));
  writeFileSync(join(folder, 'VERSION'), `${version}\n`);
}

/** The Node.js that devices are given too; with its licence, which has those of its libraries. */
export async function addNode(folder: string, processor: Processor): Promise<void> {
  const node = await fetchNode(processor);
  mkdirSync(folder, { recursive: true });
  cpSync(node, join(folder, 'node'));
  chmodSync(join(folder, 'node'), 0o755);
  cpSync(join(dirname(node), '../LICENSE'), join(folder, 'LICENSE'));
}

export async function fetchNode(processor: Processor): Promise<string> {
  const node = await findNode(readNodePackage(processor));
  if (!node) throw new PlainError('Node.js for the package cannot be had from the npm registry.');
  return node;
}

/** Those of another processor are not installed here, so they come from the registry, as the lockfile pins them. */
export async function findFiles(wanted: {
  path: string;
  version: string;
  integrity: string;
}): Promise<string> {
  const installed = join(root, wanted.path);
  if (existsSync(installed)) return installed;
  const name = nameOf(wanted.path);
  const fetched = await findPackage({ ...wanted, name });
  if (!fetched) throw new PlainError(`${name} ${wanted.version} cannot be had from the npm registry.`);
  return fetched;
}

/** Without the packages inside a package: each has an entry of its own in the lockfile. */
function copy(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (path) => path === from || (basename(path) !== 'node_modules' && !unread.test(path)),
  });
}
