import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAuthorization, parseAuthorization } from './authorization.ts';

const sample = { serialNumber: 'A1B2C3D4', nonce: 'abcDEF-_0123456789abcd', signature: Buffer.alloc(64, 7) };

test('what is formatted is parsed', () => {
  expect(parseAuthorization(formatAuthorization(sample))).toEqual(sample);
});

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['another scheme', formatAuthorization(sample).replace('Pult', 'Bearer')],
  ['a lower-case serial', formatAuthorization({ ...sample, serialNumber: 'a1' })],
  ['a serial with a double hyphen', formatAuthorization({ ...sample, serialNumber: 'A--1' })],
  ['an empty nonce', formatAuthorization({ ...sample, nonce: '' })],
  ['a long nonce', formatAuthorization({ ...sample, nonce: 'n'.repeat(129) })],
  ['a short signature', formatAuthorization({ ...sample, signature: Buffer.alloc(63) })],
  ['a fourth part', `${formatAuthorization(sample)}.x`],
  ['a line break', `${formatAuthorization(sample)}\n`],
  ['a second spelling', `${formatAuthorization(sample).slice(0, -1)}x`],
])('%s is refused', (_what, header) => {
  expect(parseAuthorization(header)).toBeNull();
});

test('no header makes it throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `Pult ${text}`),
      ),
      (header) => {
        const parsed = parseAuthorization(header);
        return parsed === null || formatAuthorization(parsed) === header;
      },
    ),
  );
});
