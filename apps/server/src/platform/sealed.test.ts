import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSealer } from './sealed.ts';

const sealer = createSealer(randomBytes(32));

it('opens what it sealed, and seals the same text differently each time', () => {
  const [one, two] = [sealer.seal('Секрет 🔑', 'a'), sealer.seal('Секрет 🔑', 'a')];
  expect(sealer.open(one, 'a')).toBe('Секрет 🔑');
  expect(one.equals(two)).toBe(false);
  expect(one.includes(Buffer.from('Секрет'))).toBe(false);
});

it('opens nothing under another key, another context or with a byte changed', () => {
  const sealed = sealer.seal('text', 'user 1');
  expect(() => sealer.open(sealed, 'user 2')).toThrow();
  expect(() => createSealer(randomBytes(32)).open(sealed, 'user 1')).toThrow();
  for (const index of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => sealer.open(changed, 'user 1')).toThrow();
  }
  expect(() => sealer.open(Buffer.alloc(3), 'user 1')).toThrow();
});
