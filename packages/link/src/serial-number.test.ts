import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSerialNumber, normalizeSerialNumber } from './serial-number.ts';

// spec: 5.02
test.each([
  ['A1B2C3D4', 'A1B2C3D4'],
  ['a1b2c3d4', 'A1B2C3D4'],
  ['wb-7-x', 'WB-7-X'],
  ['A'.repeat(36), 'A'.repeat(36)],
])('%s stays a serial: %s', (raw, serial) => {
  expect(normalizeSerialNumber(raw)).toBe(serial);
});

test.each([
  ['dots', 'v1.2.3', /^V1-2-3-[A-Z2-7]{10}$/],
  ['underscores', 'my_board', /^MY-BOARD-[A-Z2-7]{10}$/],
  ['a NUL', '100000001\0', /^100000001-[A-Z2-7]{10}$/],
  ['a placeholder', 'Default string', /^DEFAULT-STRING-[A-Z2-7]{10}$/],
  ['100 characters', 'x'.repeat(100), /^X{20}-[A-Z2-7]{10}$/],
  ['a double hyphen', 'A--B', /^A-B-[A-Z2-7]{10}$/],
  ['a hyphen at the edge', '-A-', /^A-[A-Z2-7]{10}$/],
  ['Cyrillic', 'Плата', /^SN-[A-Z2-7]{10}$/],
  ['nothing', '', /^SN-[A-Z2-7]{10}$/],
  ['a line break', 'A1\n', /^A1-[A-Z2-7]{10}$/],
])('%s becomes a prefix and a hash', (_what, raw, expected) => {
  expect(normalizeSerialNumber(raw)).toMatch(expected);
});

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 120 }), fc.string({ maxLength: 50 }));

test('the result is always a serial and stays what it is', () => {
  fc.assert(
    fc.property(anyText, (raw) => {
      const serial = normalizeSerialNumber(raw);
      return isSerialNumber(serial) && serial.length <= 36 && normalizeSerialNumber(serial) === serial;
    }),
  );
});

test('two boards keep two serials, letter case apart', () => {
  const fold = (text: string) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      fc.pre(fold(a) !== fold(b));
      return normalizeSerialNumber(a) !== normalizeSerialNumber(b);
    }),
  );
  expect(normalizeSerialNumber('a.b')).not.toBe(normalizeSerialNumber('a_b'));
  expect(normalizeSerialNumber('ß')).not.toBe(normalizeSerialNumber('SS'));
  expect(normalizeSerialNumber('\ud800')).not.toBe(normalizeSerialNumber('\ud801'));
});
