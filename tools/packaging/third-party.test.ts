import { expect, test } from 'vitest';
import { postgresLibraries } from './postgres-libraries.ts';
import { createLicenseTexts } from './third-party.ts';

test('the licence texts have those of PostgreSQL and of all that its package has inside', () => {
  const texts = createLicenseTexts('x64');
  for (const { name, license } of postgresLibraries)
    expect(texts).toContain(`${name} (${license}), in PostgreSQL's package\n\n`);
  for (const words of [
    'The Regents of the University of California',
    'This product includes cryptographic software written by',
    'Jean-loup Gailly and Mark Adler',
    '(ICU 58 and later)',
    'Daniel Veillard',
    'public domain',
    'Ralf S. Engelschall',
  ])
    expect(texts).toContain(words);
});
