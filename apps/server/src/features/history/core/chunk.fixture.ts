import fc from 'fast-check';
import { type Bucket, makeBuckets } from './buckets.ts';
import type { Change } from './change-log.ts';
import { finest } from './resolutions.ts';

/** What sensors, meters and broken drivers say. */
export const chunkFigure = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -500, max: 9_000 }).map((tenths) => tenths / 10) },
  fc.integer({ min: 0, max: 400 }).map((sixteenths) => sixteenths / 16),
  fc.integer({ min: -1e9, max: 1e9 }),
  fc.integer({ min: 0, max: 1e12 }).map((thousandths) => thousandths / 1000),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);

const slot = fc.integer({ min: 0, max: 720 });

export const bucketLists: fc.Arbitrary<Bucket[]> = fc
  .array(fc.record({ slot, offset: fc.integer({ min: 0, max: finest.length - 1 }), value: chunkFigure }), {
    maxLength: 80,
  })
  .map((told) =>
    makeBuckets(
      told.map(({ slot: place, offset, value }) => ({ at: place * finest.length + offset, value })),
      finest.length,
    ),
  );

/** As nobody makes them, but with order and without a number that is none. */
export const strangeBuckets: fc.Arbitrary<Bucket[]> = fc
  .uniqueArray(
    fc.record({ slot, min: chunkFigure, mean: chunkFigure, max: chunkFigure, last: chunkFigure }),
    {
      selector: (each) => each.slot,
      maxLength: 20,
    },
  )
  .map((all) =>
    all
      .toSorted((one, other) => one.slot - other.slot)
      .map(({ slot: place, ...figures }) => ({ at: place * finest.length, ...figures })),
  );

export const logs: fc.Arbitrary<Change[]> = fc
  .array(
    fc.record({
      tenths: fc.integer({ min: 0, max: 864_000 }),
      value: fc.oneof(fc.constantFrom('0', '1', 'auto', ''), fc.string({ unit: 'grapheme', maxLength: 8 })),
    }),
    { maxLength: 60 },
  )
  .map((all) =>
    all.map(({ tenths, value }) => ({ at: tenths * 100, value })).toSorted((one, other) => one.at - other.at),
  );
