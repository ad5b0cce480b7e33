/**
 * The specification is not in the repository, so a comment cites no section of it. It names a row of
 * docs/spec-coverage.md by the beginning of its text, `spec-coverage: <row>`, and that row is there.
 */

import type { Check } from '../check.ts';
import { readSources, type Source } from './sources.ts';
import { readSpecLines } from './spec-coverage.ts';

const section = /\bspec(ification)?\b[^.\w]{0,3}\(?(sections? \d|§)/i;
const citation = /spec-coverage: (.*?)(?=\)[.,:; ]|\)$|\), | \*\/)/g;

/** What is wrong with the sources that a file's comments cite; `rows` are the texts of the coverage's rows. */
export function findBadCitations({ path, text }: Source, rows: string[]): string[] {
  // A sentence goes on over the lines of its comment.
  const flat = text.replace(/\n[ \t]*(\*(?!\/)|\/\/)?[ \t]*/g, ' ');
  const problems = section.test(flat)
    ? [`${path} cites a section of the specification: name a row of docs/spec-coverage.md.`]
    : [];
  for (const [, cited = ''] of flat.matchAll(citation)) {
    if (!rows.some((row) => row.startsWith(cited) || cited.startsWith(row))) {
      problems.push(`${path} cites "${cited}", and no row of docs/spec-coverage.md begins so.`);
    }
  }
  return problems;
}

export const commentSources: Check = {
  name: 'sources in comments',
  async run() {
    const rows = readSpecLines().map(({ text }) => text);
    const patterns = ['apps/*.ts', 'apps/*.tsx', 'packages/*.ts', 'bench/*.ts', 'tests/*.ts'];
    const sources = await readSources(patterns);
    return sources.flatMap((source) => findBadCitations(source, rows));
  },
};
