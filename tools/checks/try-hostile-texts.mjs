/** Run by a test, which ends it when it does not end: every pattern of the product against 100 kB of each hostile text. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';
import { listAttacks } from './hostile-texts.mjs';
import { listPatterns, listProductSources } from './regular-expressions.mjs';

/**
 * The texts on which a pattern takes long. `longestMs`: of the processor's time, not of the clock's, and a thousand times
 * what is needed where it grows with the text.
 */
export function tryPattern({ source, flags }, { length = 100_000, longestMs = 1000 } = {}) {
  const pattern = new RegExp(source, flags);
  const slow = [];
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
  for (const path of await listProductSources()) {
    for (const pattern of await listPatterns(path, readFileSync(join(root, path), 'utf8'))) {
      const where = `${path}:${pattern.line}`;
      process.send?.({ where });
      for (const slow of tryPattern(pattern)) process.send?.({ where, slow });
    }
  }
}
