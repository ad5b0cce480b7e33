import { describe, expect, it } from 'vitest';
import { holdKey, keySequence } from './key-sequences.ts';

describe('the extra key row', () => {
  it('sends arrows in the mode that the program asked for', () => {
    expect(keySequence('up', false)).toBe('\x1b[A');
    expect(keySequence('up', true)).toBe('\x1bOA');
    expect([keySequence('home', false), keySequence('end', true)]).toEqual(['\x1b[H', '\x1bOF']);
  });

  it.each([
    ['pageUp', '\x1b[5~'],
    ['pageDown', '\x1b[6~'],
    ['tab', '\t'],
    ['|', '|'],
    ['~', '~'],
  ] as const)('sends %s as it is in every mode', (key, sent) => {
    expect([keySequence(key, false), keySequence(key, true)]).toEqual([sent, sent]);
  });

  it.each([
    ['c', '\x03'],
    ['C', '\x03'],
    ['с', '\x03'], // Cyrillic, on the same key
    ['Я', '\x1a'],
    ['[', '\x1b'],
    [' ', '\x00'],
    ['?', '\x7f'],
    ['1', '1'],
    ['word', 'word'],
  ])('Ctrl with %s', (typed, sent) => {
    expect(holdKey('control', typed)).toBe(sent);
  });

  it('Alt is an Escape before what is typed', () => {
    expect(holdKey('alt', 'b')).toBe('\x1bb');
    expect(holdKey('alt', '\x7f')).toBe('\x1b\x7f');
  });
});
