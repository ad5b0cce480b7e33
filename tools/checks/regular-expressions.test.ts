import { describe, expect, test } from 'vitest';
import { findSlowness, listPatterns } from './regular-expressions.ts';
import { runTrials } from './run-trials.ts';
import { tryPattern } from './try-hostile-texts.ts';

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

describe('hostile texts', () => {
  test.each([/<!--.*-->/s, /^(?:ab)*(?:ab)*$/])('hostile texts show that %s takes long', (pattern) => {
    expect(tryPattern(pattern, { length: 40_000, longestMs: 20 }).length).toBeGreaterThan(0);
  });

  test('hostile texts of 100 kB are read at once by every regular expression of the product', async () => {
    const script = 'tools/checks/try-hostile-texts.ts';
    const { tried, slow, exitCode } = await runTrials(script, { timeoutMs: 150_000 });
    expect({ slow, exitCode }).toEqual({ slow: [], exitCode: 0 });
    expect(tried.at(-1)).toMatch(/^packages\//);
  }, 180_000);
});
