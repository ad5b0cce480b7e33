/** Run by a test, which ends it when it does not end: every pattern of the product against 100 kB of each hostile text. */

import { type Attack, listAttacks } from './hostile-texts.ts';
import { listPatterns, type Pattern, readProductSources } from './regular-expressions.ts';
import type { Trial } from './run-trials.ts';

type SlowAttack = Attack & { ms: number };

/**
 * The texts on which a pattern takes long. `longestMs`: of the processor's time, not of the clock's, and a thousand times
 * what is needed where it grows with the text.
 */
export function tryPattern(
  { source, flags }: Pattern,
  { length = 100_000, longestMs = 1000 } = {},
): SlowAttack[] {
  const pattern = new RegExp(source, flags);
  const slow: SlowAttack[] = [];
  for (const { before, repeated, end } of listAttacks({ source, flags })) {
    const text = before + repeated.repeat(Math.ceil(length / repeated.length)) + end;
    const started = process.cpuUsage();
    if (pattern.global) text.replace(pattern, '');
    else pattern.test(text);
    const ms = process.cpuUsage(started).user / 1000;
    if (ms > longestMs) slow.push({ before, repeated, end, ms });
  }
  return slow;
}

if (process.argv[1] === import.meta.filename) {
  const tell = (trial: Trial) => process.send?.(trial);
  for (const product of await readProductSources()) {
    for (const { line, source = '', flags } of listPatterns(product)) {
      const where = `${product.path}:${line}`;
      tell({ where });
      for (const slow of tryPattern({ source, flags })) tell({ where, slow });
    }
  }
}
