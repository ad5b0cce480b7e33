import { describe, expect, it } from 'vitest';
import { shortcutOf, shortcuts } from './shortcuts.ts';

const nothing = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };

describe('shortcuts', () => {
  it('shortcuts are Ctrl+Shift alone', () => {
    for (const { code, name } of shortcuts) {
      expect(shortcutOf({ ...nothing, ctrlKey: true, shiftKey: true, code })).toBe(name);
    }
  });

  it.each([
    { ctrlKey: true },
    { shiftKey: true },
    { altKey: true },
    { ctrlKey: true, altKey: true, shiftKey: true },
    {},
  ])('leave the shell its own keys: %o', (held) => {
    for (const { code } of shortcuts) expect(shortcutOf({ ...nothing, ...held, code })).toBeUndefined();
  });

  it('shortcuts have a key each', () => {
    expect(new Set(shortcuts.map(({ code }) => code)).size).toBe(shortcuts.length);
  });
});
