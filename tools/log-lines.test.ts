import { expect, test } from 'vitest';
import { parseLogLine, summarizeEntry } from './log-lines.mjs';

const say = (entry: object) => summarizeEntry(parseLogLine(JSON.stringify({ level: 50, ...entry })) ?? {});

test.each([
  ['a warning', { msg: 'no mail is sent' }, 'no mail is sent'],
  [
    'an error',
    { msg: 'the SSH port', err: { message: 'listen EMFILE\n  at …' } },
    'the SSH port: listen EMFILE',
  ],
  ['an error that says it already', { msg: 'listen EMFILE', err: { message: 'EMFILE' } }, 'listen EMFILE'],
  ['an error without a text', { msg: 'the SSH port', err: {} }, 'the SSH port'],
])('one line says what an entry says: %s', (_, entry, line) => {
  expect(say(entry)).toBe(line);
});
