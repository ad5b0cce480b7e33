import { expect, it } from 'vitest';
import { applyMutant } from './rejudge.ts';

const source = 'const a = 1;\nif (a > 0 &&\n  b) {\n  run();\n}\n';

it.each([
  [
    { line: 1, column: 11 },
    { line: 1, column: 12 },
    '2',
    'const a = 2;\nif (a > 0 &&\n  b) {\n  run();\n}\n',
  ],
  [{ line: 2, column: 5 }, { line: 3, column: 4 }, 'true', 'const a = 1;\nif (true) {\n  run();\n}\n'],
  [{ line: 3, column: 6 }, { line: 5, column: 2 }, '{}', 'const a = 1;\nif (a > 0 &&\n  b) {}\n'],
])('a mutant from %j to %j takes the place of what stood there', (start, end, replacement, expected) => {
  expect(applyMutant(source, { fileName: '', location: { start, end }, replacement })).toBe(expected);
});
