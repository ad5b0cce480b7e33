import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDecimal, maxDecimals, maxDigits, parseDecimal } from './decimal.ts';

test('a number of few digits is read and written again as it stood', () => {
  const digits = fc.integer({ min: 1 - maxDigits, max: maxDigits - 1 });
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: maxDecimals }), (number, decimals) => {
      const text = formatDecimal({ digits: number, decimals });
      if (text.length <= 17) expect(parseDecimal(text)).toEqual({ digits: number, decimals });
    }),
  );
});

test('a text that is read as a number is written again as it stood', () => {
  const unit = fc.constantFrom(...'0123456789.-+e ');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 18 }), (text) => {
      const number = parseDecimal(text);
      if (number) expect(formatDecimal(number)).toBe(text);
    }),
    { numRuns: 5000 },
  );
});

test.each(['24.10', '0', '-1', '0.05', '-0.5', '999999999999999'])('%s is a number', (text) => {
  expect(parseDecimal(text)).not.toBeNull();
});

test.each(['', '-', '-0', '-0.0', '007', '.5', '5.', '+1', '1e5', '0x1', '1 ', '1000000000000000'])(
  '“%s” is told as a text',
  (text) => {
    expect(parseDecimal(text)).toBeNull();
  },
);
