/**
 * A title stands alone in a list of failures, so it has a subject: it begins neither with a preposition nor with a
 * bare verb such as "is".
 */

import type { Check } from '../check.ts';
import { listTests } from './list-tests.ts';
import { readSources } from './sources.ts';

const prepositions =
  'about above across after against along among around as at before behind below beneath beside between beyond by ' +
  'despite down during except for from in inside into like near of off on onto out outside over past per since than ' +
  'through throughout till to toward towards under until up upon via with within without';
const verbs =
  'am are be been can cannot could did do does had has have is may might must shall should was were will would';
const others = 'and but nor or that when where which while who whom whose why';
const firstWords = new Set(`${prepositions} ${verbs} ${others}`.split(' '));

/** Why a title does not stand alone, or undefined. */
export function findTitleProblem(title: string): string | undefined {
  const word = /^[a-z]+(?![A-Za-z])/.exec(title)?.[0];
  return word !== undefined && firstWords.has(word) && !/^[a-z]+[-_.:(]/.test(title)
    ? `begins with "${word}": a title has its subject`
    : undefined;
}

export const testTitles: Check = {
  name: 'test titles',
  async run() {
    const problems: string[] = [];
    for (const source of await readSources(['*.test.ts', '*.test.tsx', '*.spec.ts'])) {
      for (const { name } of listTests(source)) {
        const problem = findTitleProblem(name);
        if (problem) problems.push(`${source.path} › ${name}: ${problem}.`);
      }
    }
    return problems;
  },
};
