import { expect, it } from 'vitest';
import { serialNumber, text } from './text.ts';

it.each(['Котельная\t№ 5', 'two\nlines', 'מגדל מים', 'برج المياه', '👩‍🔧 <b>&'])('takes %j', (value) => {
  expect(text(50).parse(value)).toBe(value);
});

it.each(['a\u0000b', 'a\u0007b', 'live\u202eevil', '\u2066a\u2069', '\ud800'])('refuses %j', (value) => {
  expect(text(50).safeParse(value).error?.issues[0]?.message).toBe('control_characters');
});

it.each([
  ['a1b2c3d4', 'A1B2C3D4'],
  ['Wb-7-x9', 'WB-7-X9'],
])('spec 5: the serial number %s is %s', (written, normalised) => {
  expect(serialNumber.parse(written)).toBe(normalised);
});

it.each(['', '-A', 'A-', 'A--B', 'A B', 'É1', 'a'.repeat(37)])('%j is no serial number', (written) => {
  expect(serialNumber.safeParse(written).success).toBe(false);
});
