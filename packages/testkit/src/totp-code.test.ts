import { expect, it } from 'vitest';
import { createTotpCode } from './totp-code.ts';

it.each([
  // RFC 6238, appendix B, the last six of its eight digits.
  [59, '287082'],
  [1_111_111_109, '081804'],
  [20_000_000_000, '353130'],
])('makes the code of the RFC at %s s', (seconds, code) => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  expect(createTotpCode(secret, new Date(seconds * 1000))).toBe(code);
});
