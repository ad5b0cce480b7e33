import { expect, it } from 'vitest';
import { oneLine } from './one-line.ts';

it.each([
  ['two\r\n lines\u2028and a bell\u0007', 'two  lines and a bell'],
  ['live\u202eevil\u2066 \u200fa\u061cb', 'live evil   a b'],
  ['half \ud800 of a pair', 'half   of a pair'],
  ['Котельная № 1 🚰', 'Котельная № 1 🚰'],
  ['x'.repeat(1_000), 'x'.repeat(300)],
])('whatever others have said is one line that turns nothing: %j', (said, shown) => {
  expect(oneLine(said)).toBe(shown);
});
