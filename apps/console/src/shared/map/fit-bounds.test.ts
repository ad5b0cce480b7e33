import { expect, test, vi } from 'vitest';
import { fitBounds } from './fit-bounds.ts';
import { FakeMap } from './testing/fake-map.ts';

function fit(bounds: Parameters<typeof fitBounds>[1], options: { padding?: number; isStill?: boolean } = {}) {
  const map = new FakeMap();
  fitBounds(map.asMap, bounds, { padding: 40, maxZoom: 5, ...options }, { byHand: true });
  return map.fitBounds.mock.lastCall ?? [];
}

const stubMotion = (matches: boolean) => vi.stubGlobal('matchMedia', () => ({ matches }));

test('a box is shown whole with room around it, and who hears of the movement is told whose it is', () => {
  stubMotion(false);
  expect(fit([10, 20, 30, 40])).toEqual([
    [10, 20, 30, 40],
    { maxZoom: 5, padding: 40, duration: 500 },
    { byHand: true },
  ]);
});

test('a box across 180° is reached by the short way', () => {
  stubMotion(false);
  expect(fit([170, -10, -170, 10])[0]).toEqual([170, -10, 190, 10]);
  expect(fit([10, 0, 10, 0])[0]).toEqual([10, 0, 10, 0]);
});

test('a small map leaves no more room than a quarter of its shorter side', () => {
  stubMotion(false);
  expect(fit([10, 20, 30, 40], { padding: 60 })[1]).toMatchObject({ padding: 50 });
});

test('a map goes there at once where nothing is to move, or whoever looks wants it so', () => {
  stubMotion(false);
  expect(fit([10, 20, 30, 40], { isStill: true })[1]).toMatchObject({ duration: 0 });
  stubMotion(true);
  expect(fit([10, 20, 30, 40])[1]).toMatchObject({ duration: 0 });
});
