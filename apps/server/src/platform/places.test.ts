import { expect, it } from 'vitest';
import { createPlaces } from './places.ts';

it('gives each user so many places, and again what was given back, once', () => {
  const places = createPlaces(2);
  const first = places.take('a');
  expect(places.take('a')).toBeTypeOf('function');
  expect(places.take('a')).toBeUndefined();
  expect(places.take('b')).toBeTypeOf('function');
  first?.();
  first?.();
  expect(places.take('a')).toBeTypeOf('function');
  expect(places.take('a')).toBeUndefined();
});
