/** Run by a test, which ends it when it does not end: every reader of foreign texts against 100 kB of each hostile text. */

import { type Reader, readers } from './foreign-text-readers.ts';
import { type ForeignText, listForeignTexts } from './foreign-texts.ts';
import { listTextSchemas } from './list-schemas.ts';
import type { Trial } from './run-trials.ts';

const wholeLength = 100_000;
/** Of the processor's time; what takes less is not looked at. */
const shortMs = 200;

/**
 * Milliseconds that a reader takes for a text where its time grows faster than the text: ten times the text may take ten
 * times as long, not a hundred. Undefined for any other.
 */
export async function findSlowness(
  read: Reader['read'],
  create: ForeignText,
  length: number,
): Promise<number | undefined> {
  const measure = async (text: string) => {
    const started = process.cpuUsage();
    try {
      await read(text);
    } catch {
      // Refused, which is one way of having read it.
    }
    return process.cpuUsage(started).user / 1000;
  };
  const ms = await measure(create(length));
  return ms > shortMs && ms > 30 * (await measure(create(length / 10))) ? ms : undefined;
}

if (process.argv[1] === import.meta.filename) {
  const tell = (trial: Trial) => process.send?.(trial);
  const schemas = [...listTextSchemas()].map(([schema, name]): Reader => ({ name, read: schema.safeParse }));
  for (const { name: where, read, begins = [''], maxLength = wholeLength } of [...readers, ...schemas]) {
    tell({ where });
    for (const create of listForeignTexts(begins)) {
      const ms = await findSlowness(read, create, Math.min(maxLength, wholeLength));
      if (ms !== undefined) tell({ where, slow: { text: create(40), ms } });
    }
  }
}
