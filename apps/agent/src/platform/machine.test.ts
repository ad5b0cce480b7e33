import { expect, test } from 'vitest';
import { createTempDir } from '../testing/temp-dir.ts';
import { keepMachineId } from './machine.ts';
import { openStateDir } from './state-dir.ts';

test('an id that each start has anew stays that of the first one', () => {
  const state = openStateDir(createTempDir());
  const start = (id: string) => keepMachineId(state, { read: () => id, isOfOneStart: () => true });
  expect([start('first'), start('second')]).toEqual(['first', 'first']);
});

test('an id that stays is taken as it is, so that a copied card is noticed', () => {
  const state = openStateDir(createTempDir());
  const start = (id: string) => keepMachineId(state, { read: () => id, isOfOneStart: () => false });
  expect([start('one'), start('another')]).toEqual(['one', 'another']);
});
