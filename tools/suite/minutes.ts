/** How long each part of `npm test` took on main when that was last written down, so that a slower suite is seen. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';

const path = join(root, '.ci', 'minutes.json');
/** A part that takes this much longer is marked. */
const tolerance = 1.05;

/** Minutes by the name of the part. */
export type Minutes = Record<string, number>;

export const readMinutes = (): Minutes => JSON.parse(readFileSync(path, 'utf8'));

export function writeMinutes(minutes: Minutes): void {
  const rounded = Object.entries(minutes).map(([name, value]) => [name, Math.round(value * 10) / 10]);
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(rounded), undefined, 2)}\n`);
}

/** What is said beside a part's time, and whether it is slower than before. */
export function compareMinutes(now: number, before: number | undefined): { text: string; isSlower: boolean } {
  if (before === undefined) return { text: 'new', isSlower: false };
  const isSlower = now > before * tolerance;
  const change = Math.round((now / before - 1) * 100);
  return { text: `main ${before.toFixed(1)} min${isSlower ? `, ${change} % slower` : ''}`, isSlower };
}
