import fc from 'fast-check';
import type { TelemetryEntry } from '../telemetry.ts';

/** Characters that `telemetryEntrySchema` allows, of any script. */
const letter = fc.constantFrom(...'abcXYZ 019.-_/°Жщя温🌡"\\<>');
const text = (min: number, max: number) => fc.string({ unit: letter, minLength: min, maxLength: max });
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const decimal = fc
  .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, decimals]) => (digits / 10 ** decimals).toFixed(decimals));
const value = fc.oneof(
  decimal,
  fc.integer({ min: -2, max: 30 }).map(String),
  fc.constantFrom(
    '',
    '-0',
    '0',
    '-0.0',
    '007',
    '1e5',
    '.5',
    '5.',
    'NaN',
    '999999999999999',
    '-0.000000000000001',
  ),
  fc.double({ noNaN: true }).map(String),
  text(0, 40),
);

const title = fc.record({ en: orNull(text(0, 20)), ru: orNull(text(0, 20)) });
const meta = fc.record({
  title,
  type: orNull(text(0, 10)),
  units: orNull(text(0, 5)),
  order: orNull(fc.integer({ min: -1_000_000, max: 1_000_000 })),
  readonly: orNull(fc.boolean()),
  error: orNull(text(0, 5)),
});
// Few names, so that they come again.
const name = fc.oneof(fc.constantFrom('wb-adc', 'K1', 'Vin', 'Температура'), text(1, 12));
const measured = fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((number) => number + 0);
const metrics = fc.record(
  { load15: measured, cpu_usage: measured, mem_available: measured, uptime: measured },
  { requiredKeys: [] },
);
const subject = { device: name, control: name };
const content = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ...subject, value }) },
  fc.record({ ...subject, meta }),
  fc.record({ ...subject, gone: fc.constant(true as const) }),
  fc.record({ device: name, title }),
  fc.record({ metrics }),
);

/** Entries as an honest device tells them: numbers grow, ages are whole tenths of a second. */
export const telemetryEntries: fc.Arbitrary<TelemetryEntry[]> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 1e9 }), content), {
    maxLength: 60,
  })
  .map((list) => {
    let offset = 0;
    return list.map(([gap, tenths, fields]) => {
      offset += gap;
      return { offset, age: tenths * 100, ...fields };
    });
  });
