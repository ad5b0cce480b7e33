import { describe, expect, it } from 'vitest';
import { keySequence, withControl } from './key-sequences.ts';

describe('the extra key row', () => {
  it('sends arrows in the mode that the program asked for', () => {
    expect(keySequence('up', false)).toBe('\x1b[A');
    expect(keySequence('up', true)).toBe('\x1bOA');
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
    expect(withControl(typed)).toBe(sent);
  });
});
