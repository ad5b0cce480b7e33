/** What the package of PostgreSQL brings along besides PostgreSQL, which no lockfile knows. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../terminal.mjs';

interface Library {
  name: string;
  license: string;
  /** The text of the licence, beside this file. */
  text: string;
  /** Its files. */
  file: RegExp;
  /** Where its version stands in the first of them, or in the file's name; parts of it are joined by dots. */
  version: RegExp;
}

export const postgresLibraries: readonly Library[] = [
  {
    name: 'OpenSSL',
    license: 'OpenSSL',
    text: 'openssl.txt',
    file: /^lib(crypto|ssl)\./,
    version: /OpenSSL (\d\.\d\.\d+[a-z]*) /,
  },
  {
    name: 'ICU',
    license: 'Unicode-DFS-2016',
    text: 'icu.txt',
    file: /^libicu/,
    version: /\.so\.(\d+)\.(\d+)$/,
  },
  {
    name: 'libxml2',
    license: 'MIT',
    text: 'libxml2.txt',
    file: /^libxml2\./,
    version: /(?<!\d)(2)(\d\d)(\d\d)\0/,
  },
  {
    name: 'libxslt',
    license: 'MIT',
    text: 'libxslt.txt',
    file: /^libxslt\./,
    version: /(?<!\d)(1)(\d\d)(\d\d)\0/,
  },
  {
    name: 'liblzma',
    license: 'public domain',
    text: 'liblzma.txt',
    file: /^liblzma\./,
    version: /\0(5\.\d+\.\d+)\0/,
  },
  {
    name: 'OSSP uuid',
    license: 'MIT',
    text: 'ossp-uuid.txt',
    file: /^libossp-uuid\./,
    version: /OSSP uuid ([\d.]+)/,
  },
  { name: 'zlib', license: 'Zlib', text: 'zlib.txt', file: /^libz\./, version: /deflate ([\d.]+) Copyright/ },
];

/** Of PostgreSQL and of each library, which its package does not bring along. */
export function readPostgresLicenses(): { names: string; text: string }[] {
  const read = (file: string) => readFileSync(join(import.meta.dirname, 'licenses', file), 'utf8').trim();
  return [
    { names: 'PostgreSQL (PostgreSQL)', text: read('postgresql.txt') },
    ...postgresLibraries.map(({ name, license, text }) => ({
      names: `${name} (${license}), in PostgreSQL's package`,
      text: read(text),
    })),
  ];
}

/** PostgreSQL's own. */
const own = /^lib(ecpg|pgtypes|pq)/;

/** Those of a package, with their versions as their files tell them. A library that nobody has listed is an error. */
export function readPostgresLibraries(folder: string): { name: string; version: string; license: string }[] {
  const lib = join(folder, 'native/lib');
  const files = readdirSync(lib).filter((name) => /\.so(\.|$)/.test(name) && !own.test(name));
  const unknown = files.filter((name) => !postgresLibraries.some(({ file }) => file.test(name)));
  if (unknown.length > 0)
    throw new PlainError(`Nobody has listed ${unknown.join(', ')} of PostgreSQL's package.`);
  return postgresLibraries.map(({ name, license, file, version }) => {
    const first = files.find((candidate) => file.test(candidate)) ?? '';
    const found = version.exec(first) ?? version.exec(readFileSync(join(lib, first), 'latin1'));
    if (!found) throw new PlainError(`The version of ${name} is not to be found in ${first}.`);
    return {
      name,
      license,
      version: found
        .slice(1)
        .map((part) => part.replace(/^0(?=\d)/, ''))
        .join('.'),
    };
  });
}
