import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { createToken, isWellFormed, showPrefix } from './token-format.ts';

it('a token has its prefix, 30 random characters, and their CRC-32 in six digits of base 62', () => {
  const token = createToken('personal');
  expect(token).toMatch(/^pult_pat_[0-9A-Za-z]{36}$/);
  const [random, checksum] = [token.slice(9, 39), token.slice(39)];
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const value = [...checksum].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
  expect(value).toBe(crc32(random));
});

it('no two tokens are alike, and what is shown of one is its beginning', () => {
  const tokens = Array.from({ length: 100 }, () => createToken('personal'));
  expect(new Set(tokens).size).toBe(100);
  expect(tokens[0]?.startsWith(showPrefix(tokens[0], 'personal'))).toBe(true);
  expect(showPrefix(tokens[0] ?? '', 'personal')).toHaveLength(13);
});

it('each slip in a token is told by its checksum', () => {
  const token = createToken('personal');
  expect(isWellFormed(token)).toBe(true);
  for (let place = 0; place < token.length; place += 1) {
    const other = token[place] === 'x' ? 'y' : 'x';
    expect(isWellFormed(`${token.slice(0, place)}${other}${token.slice(place + 1)}`)).toBe(false);
  }
  for (const wrong of ['', 'pult_pat_', `${token}0`, token.slice(0, -1), token.replace('pat', 'xyz')]) {
    expect(isWellFormed(wrong)).toBe(false);
  }
});
