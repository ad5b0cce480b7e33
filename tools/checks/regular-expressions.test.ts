import { describe, expect, test } from 'vitest';
import { findSlowness, listPatterns } from './regular-expressions.ts';

const find = (text: string) =>
  listPatterns({ path: 'x.ts', text }).map((pattern) => findSlowness(pattern) ?? '');

describe('a regular expression', () => {
  test.each([
    ['const p = /^\\s*([a-z]*)\\s*$/;', '\\s* and \\s* can match the same'],
    ['const p = /^(a+)+$/;', 'a+ can match the same in several ways'],
    ['text.replace(/\\/+$/, "");', '\\/+ is begun anew at each place'],
    [`const space = '\\\\s*'; new RegExp(\`^\${space}x?\${space}$\`);`, '\\s* and \\s* can match the same'],
    [`new RegExp(\`^\${limits.code}$\`);`, 'put together of what is not known here'],
    ['RegExp(given);', 'put together of what is not known here'],
  ])('a regular expression that takes long is found: %s', (text, problem) => {
    expect(find(text)).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    'const p = /^[a-z]+ +[0-9]+$/;',
    'text.replace(/(?<!\\/)\\/+$/, "");',
    `const digits = '[0-9]'; new RegExp(\`^\${digits}+$\`);`,
    'const p = 4 / 2 / 1;',
  ])('a regular expression that takes no longer than its text is long is taken: %s', (text) => {
    expect(find(text).join('')).toBe('');
  });

  test('a regular expression is named with its line', () => {
    expect(listPatterns({ path: 'x.tsx', text: 'const a = <b />;\n\nconst p = /x/gu;' })).toEqual([
      { line: 3, source: 'x', flags: 'gu' },
    ]);
  });
});
