import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cities } from './cities.ts';
import { unwrapRing } from './unwrap.ts';
import { createCountryNames, createGeometry } from './world.ts';

const file = readFileSync('node_modules/world-atlas/countries-50m.json', 'utf8');
const geometry = createGeometry(JSON.parse(file));

test('no line of the land runs around the world', () => {
  const jumps = geometry.land.features.flatMap(({ geometry: area }) => {
    if (area.type !== 'MultiPolygon') throw new Error('land is made of areas');
    return area.coordinates.flat().flatMap((ring) =>
      ring.filter(([longitude = 0, latitude = 0], index) => {
        const before = ring[index - 1]?.[0] ?? longitude;
        // Only along a pole, where Antarctica is closed.
        return Math.abs(latitude) < 90 && Math.abs(longitude - before) > 180;
      }),
    );
  });
  expect(jumps).toEqual([]);
});

test('a ring goes on beyond 180°, and one around the pole is closed there', () => {
  const chukotka = [
    [170, 60],
    [180, 65],
    [-170, 66],
    [-175, 60],
    [170, 60],
  ];
  expect(unwrapRing(chukotka).map(([longitude]) => longitude)).toEqual([170, 180, 190, 185, 170]);
  const antarctica = [
    [-180, -80],
    [-60, -70],
    [60, -70],
    [179, -75],
    [-180, -80],
  ];
  expect(unwrapRing(antarctica).slice(-3)).toEqual([
    [180, -90],
    [-180, -90],
    [-180, -80],
  ]);
});

test('every country is named in both languages, at a place within its own bounds', () => {
  const [ru, en] = [createCountryNames('ru'), createCountryNames('en')];
  expect(geometry.names.length).toBeGreaterThan(230);
  for (const { properties } of geometry.names) {
    expect(ru(properties.code)).toMatch(/[А-яё]/);
    expect(en(properties.code)).toMatch(/[A-z]/);
  }
  const places = new Map(
    geometry.names.map(({ properties, geometry: { coordinates } }) => [en(properties.code), coordinates]),
  );
  const [longitude = 0, latitude = 0] = places.get('Russia') ?? [];
  expect(longitude).toBeGreaterThan(60);
  expect(longitude).toBeLessThan(130);
  expect(latitude).toBeGreaterThan(55);
  expect(ru('643')).toBe('Россия');
});

test('cities stand on the earth, and none twice', () => {
  expect(new Set(cities.map(([[name]]) => name)).size).toBe(cities.length);
  for (const [names, latitude, longitude] of cities) {
    expect(names[1]).toMatch(/^[А-Яа-яё\- ]+$/);
    expect(Math.abs(latitude)).toBeLessThan(75);
    expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
  }
});
