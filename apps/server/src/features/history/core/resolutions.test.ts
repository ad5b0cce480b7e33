import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { planReading } from './reading-plan.ts';
import { chooseLength, day, hour, hourOf, keptSince, resolutions } from './resolutions.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const most = 2000;

test.each([
  [hour, 120],
  [day, 120],
  [7 * day, 360],
  [30 * day, 1800],
  [366 * day, 6 * 3600],
  [5 * 365 * day, 86_400],
])('%i ms up to now are cut into parts of %i s', (period, seconds) => {
  expect(chooseLength({ start: now - period, stop: now }, { now, most }).length / 1000).toBe(seconds);
});

it('an hour of a month and a half ago is read from what is still kept of it', () => {
  const start = now - 45 * day;
  expect(chooseLength({ start, stop: start + hour }, { now, most })).toEqual({ length: 1800_000, place: 1 });
});

const period = fc
  .tuple(fc.integer({ min: now - 2000 * day, max: now }), fc.integer({ min: 1, max: 2000 * day }))
  .map(([start, length]) => ({ start, stop: start + length }));

it('no period has more parts than an answer may have, and each is read from what is kept back to its beginning', () => {
  fc.assert(
    fc.property(period, ({ start, stop }) => {
      const { length, place } = chooseLength({ start, stop }, { now, most });
      expect(Math.floor((stop - 1) / length) - Math.floor(start / length) + 1).toBeLessThanOrEqual(most);
      expect(length % (resolutions[place]?.length ?? 0)).toBe(0);
      if (place < resolutions.length - 1) expect(start).toBeGreaterThanOrEqual(keptSince(place, now));
    }),
  );
});

it('each moment of a period is read from one place', () => {
  const spans = fc.tuple(
    fc.option(fc.integer({ min: 2900, max: 2970 }), { nil: undefined }),
    fc.option(fc.integer({ min: 230, max: 250 }), { nil: undefined }),
  );
  fc.assert(
    fc.property(
      period,
      fc.constantFrom(0, 1, 2),
      spans,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (asked, place, next, part) => {
        const plan = planReading(asked, place, [undefined, ...next]);
        const at = Math.floor(asked.start + part * (asked.stop - 1 - asked.start));
        const reading = plan.chunks.filter((chunk) => {
          const span = Math.floor(at / (resolutions[chunk.place]?.span ?? 1));
          return span >= chunk.first && span < chunk.last;
        });
        const isInHours = hourOf(at) >= plan.hours.first && hourOf(at) < plan.hours.last;
        // Hours that are in no day yet are read where days are.
        expect(reading.map((chunk) => chunk.place === 0)).toEqual([isInHours]);
      },
    ),
  );
});
