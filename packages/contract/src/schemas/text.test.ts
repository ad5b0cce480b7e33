import { expect, it } from 'vitest';
import { text } from './text.ts';

it.each(['Котельная\t№ 5', 'two\nlines', 'מגדל מים', 'برج المياه', '👩‍🔧 <b>&'])('takes %j', (value) => {
  expect(text(50).parse(value)).toBe(value);
});

it.each(['a\u0000b', 'a\u0007b', 'live\u202eevil', '\u2066a\u2069', '\ud800'])('refuses %j', (value) => {
  expect(text(50).safeParse(value).error?.issues[0]?.message).toBe('control_characters');
});
