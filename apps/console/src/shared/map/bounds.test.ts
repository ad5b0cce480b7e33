import { expect, test } from 'vitest';
import { type Bounds, boundsOf, boundsQuery, growBounds, isWithin, joinBounds } from './bounds.ts';

const at = (longitude: number, latitude = 0): Bounds => boundsOf({ latitude, longitude });

test('places are joined by the short way, across 180° too', () => {
  expect(joinBounds([])).toBeUndefined();
  expect(joinBounds([at(37, 55)])).toEqual([37, 55, 37, 55]);
  expect(joinBounds([at(37, 55), at(-3, 40), at(30, 60)])).toEqual([-3, 40, 37, 60]);
  // Fiji and Chukotka: 4° wide and not 356°.
  expect(joinBounds([at(-178, 66), at(178, -17)])).toEqual([178, -17, -178, 66]);
  expect(joinBounds([at(-178), at(178), at(100)])).toEqual([100, 0, -178, 0]);
  expect(joinBounds([[170, 0, -170, 10], at(-160, 5)])).toEqual([170, 0, -160, 10]);
});

test('the box of a view becomes a query within the world’s bounds', () => {
  const query = (bounds: Bounds, share = 0) => boundsQuery(growBounds(bounds, share));
  expect(query([30, 50, 40, 60])).toEqual({
    latitude_min: 50,
    latitude_max: 60,
    longitude_min: 30,
    longitude_max: 40,
  });
  expect(query([30, 50, 40, 60], 0.1)).toMatchObject({ latitude_min: 49, longitude_max: 41 });
  // A map goes on beyond 180°; the API takes a western bound east of the eastern one.
  expect(query([170, 0, 190, 10])).toMatchObject({ longitude_min: 170, longitude_max: -170 });
  expect(query([-200, 0, -170, 10])).toMatchObject({ longitude_min: 160, longitude_max: -170 });
  expect(query([170, 0, -170, 10], 0.5)).toMatchObject({ longitude_min: 160, longitude_max: -160 });
  // Seen more than once around.
  expect(query([-300, -85, 300, 85], 0.1)).toEqual({
    latitude_min: -90,
    latitude_max: 90,
    longitude_min: -180,
    longitude_max: 180,
  });
});

test('a place is within a box on either side of 180°', () => {
  const fiji: Bounds = [170, -20, -170, -10];
  expect(isWithin({ latitude: -17, longitude: 179 }, fiji)).toBe(true);
  expect(isWithin({ latitude: -17, longitude: -179 }, fiji)).toBe(true);
  expect(isWithin({ latitude: -17, longitude: 0 }, fiji)).toBe(false);
  expect(isWithin({ latitude: 17, longitude: 179 }, fiji)).toBe(false);
});
