/**
 * A title stands alone in a list of failures, so it has a subject: it begins neither with a preposition nor with a
 * bare verb such as "is".
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';
import { listTests } from './list-tests.mjs';
import { listSources } from './sources.mjs';

const prepositions =
  'about above across after against along among around as at before behind below beneath beside between beyond by ' +
  'despite down during except for from in inside into like near of off on onto out outside over past per since than ' +
  'through throughout till to toward towards under until up upon via with within without';
const verbs =
  'am are be been can cannot could did do does had has have is may might must shall should was were will would';
const others = 'and but nor or that when where which while who whom whose why';
const firstWords = new Set(`${prepositions} ${verbs} ${others}`.split(' '));

/** Why a title does not stand alone, or undefined. */
export function findTitleProblem(title) {
  const word = /^[a-z]+(?![A-Za-z])/.exec(title)?.[0];
  return word !== undefined && firstWords.has(word) && !/^[a-z]+[-_.:(]/.test(title)
    ? `begins with "${word}": a title has its subject`
    : undefined;
}

export const testTitles = {
  name: 'test titles',
  async run() {
    const problems = [];
    for (const path of await listSources(['*.test.ts', '*.test.tsx', '*.test.mjs', '*.spec.ts'])) {
      for (const { name } of await listTests(path, readFileSync(join(root, path), 'utf8'))) {
        const problem = findTitleProblem(name);
        if (problem) problems.push(`${path} › ${name}: ${problem}.`);
      }
    }
    return problems;
  },
};
