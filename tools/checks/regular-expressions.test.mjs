import { fork } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../processes.mjs';
import { findSlowness, listPatterns, regularExpressions } from './regular-expressions.mjs';
import { tryPattern } from './try-hostile-texts.mjs';

const find = async (text) =>
  Promise.all((await listPatterns('x.ts', text)).map(async (pattern) => (await findSlowness(pattern)) ?? ''));

describe('a regular expression', () => {
  test.each([
    ['const p = /^\\s*([a-z]*)\\s*$/;', '\\s* and \\s* can match the same'],
    ['const p = /^(a+)+$/;', 'a+ can match the same in several ways'],
    ['text.replace(/\\/+$/, "");', '\\/+ is begun anew at each place'],
    [`const space = '\\\\s*'; new RegExp(\`^\${space}x?\${space}$\`);`, '\\s* and \\s* can match the same'],
    [`new RegExp(\`^\${limits.code}$\`);`, 'put together of what is not known here'],
    ['RegExp(given);', 'put together of what is not known here'],
  ])('a regular expression that takes long is found: %s', async (text, problem) => {
    expect(await find(text)).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    'const p = /^[a-z]+ +[0-9]+$/;',
    'text.replace(/(?<!\\/)\\/+$/, "");',
    `const digits = '[0-9]'; new RegExp(\`^\${digits}+$\`);`,
    'const p = 4 / 2 / 1;',
  ])('a regular expression that takes no longer than its text is long is taken: %s', async (text) => {
    expect((await find(text)).join('')).toBe('');
  });

  test('a regular expression is named with its file and line', async () => {
    expect(await listPatterns('x.tsx', 'const a = <b />;\n\nconst p = /x/gu;')).toEqual([
      { line: 3, source: 'x', flags: 'gu' },
    ]);
    expect(await regularExpressions.run()).toEqual([]);
  });
});

describe('hostile texts', () => {
  test.each([/<!--.*-->/s, /^(?:ab)*(?:ab)*$/])('hostile texts show that %s takes long', (pattern) => {
    expect(tryPattern(pattern, { length: 20_000, longestMs: 40 }).length).toBeGreaterThan(0);
  });

  test('hostile texts of 100 kB are read at once by every regular expression of the product', async () => {
    const child = fork(join(root, 'tools/checks/try-hostile-texts.mjs'), {
      signal: AbortSignal.timeout(150_000),
      killSignal: 'SIGKILL',
    });
    let last;
    const slow = [];
    child.on('message', (/** @type {{ where: string, slow?: unknown }} */ message) => {
      last = message.where;
      if (message.slow) slow.push(message);
    });
    child.on('error', () => slow.push({ where: last, slow: 'does not end' }));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(last).toMatch(/^packages\//);
    expect(slow).toEqual([]);
  }, 180_000);
});
