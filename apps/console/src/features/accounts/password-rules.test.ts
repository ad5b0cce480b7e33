import { expect, test } from 'vitest';
import { checkPassword, isFit } from './password-rules.ts';

test('a new password has 8 to 70 characters, as people count them', () => {
  const isLong = (password: string) => checkPassword(password, undefined).hasLength;
  expect(['a'.repeat(7), 'a'.repeat(8), 'a'.repeat(70), 'a'.repeat(71)].map(isLong)).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect([isLong('🔑'.repeat(7)), isLong('🔑'.repeat(8))]).toEqual([false, true]);
});

test('it is not the email, however that is written', () => {
  expect(isFit(checkPassword('Me@Example.com', 'me@example.com '))).toBe(false);
  expect(isFit(checkPassword('me@example.com', undefined))).toBe(true);
});
