import { expect, it } from 'vitest';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';

it('makes ten different codes of 25 characters in groups, none of them easily misread', () => {
  const codes = createRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([A-HJKMNP-TV-Z2-9]{5}-){4}[A-HJKMNP-TV-Z2-9]{5}$/);
});

it('takes a code in any case, with or without its hyphens', () => {
  const [code = '', other = ''] = createRecoveryCodes();
  const stored = hashRecoveryCode(code);
  expect(hashRecoveryCode(code.toLowerCase().replaceAll('-', ' '))).toEqual(stored);
  expect(hashRecoveryCode(code.replaceAll('-', ''))).toEqual(stored);
  expect(hashRecoveryCode(other)).not.toEqual(stored);
});
