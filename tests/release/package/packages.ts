import { readFile } from 'node:fs/promises';
import { findNode, type NodePackage, repositoryPath } from '@pult/testkit';

export const { version }: { version: string } = JSON.parse(
  await readFile(repositoryPath('package.json'), 'utf8'),
);
const table: Record<string, NodePackage> = JSON.parse(
  await readFile(repositoryPath('deploy/agent-runtimes.json'), 'utf8'),
);
/** The Node.js in the packages. */
export const runtime = table[process.arch];

/** Why packages cannot be made here; undefined where they can. */
export const packagesObstacle =
  runtime && (await findNode(runtime)) ? undefined : 'not here: the registry does not give its Node.js';

export const archiveName = `pult-${version}-linux-${process.arch}`;
/** As Debian calls it. */
export const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
export const debianName = (name: 'server' | 'agent') => `pult-${name}_${version}_${architecture}.deb`;

/** The folder of what `npm run package` made: `npm run test:release package` names it. */
export function findPackages(): string {
  const folder = process.env.PULT_PACKAGES;
  if (!folder) throw new Error('PULT_PACKAGES has to name the folder that npm run package has filled.');
  return folder;
}
