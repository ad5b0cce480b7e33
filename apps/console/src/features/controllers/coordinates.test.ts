import { describe, expect, it } from 'vitest';
import { checkCoordinates, readCoordinate, readCoordinatePair } from './coordinates.ts';

describe('coordinates', () => {
  it.each([
    [{ latitude: 55.75, longitude: 37.61 }, {}],
    [{ latitude: null, longitude: null }, {}],
    [{ latitude: -90, longitude: 180 }, {}],
    [{ latitude: 90.001, longitude: 0 }, { latitude: 'latitudeRange' }],
    [{ latitude: 0, longitude: -181 }, { longitude: 'longitudeRange' }],
    [{ latitude: null, longitude: 10 }, { latitude: 'together' }],
    [{ latitude: 10, longitude: null }, { longitude: 'together' }],
  ])('%j', (pair, errors) => {
    expect(checkCoordinates(pair)).toEqual(errors);
  });

  it.each([
    ['55.7558, 37.6173', { latitude: 55.7558, longitude: 37.6173 }],
    [' -33.9;151.2 ', { latitude: -33.9, longitude: 151.2 }],
    ['55,7558; 37,6173', { latitude: 55.7558, longitude: 37.6173 }],
    ['55,7558 -37,6173', { latitude: 55.7558, longitude: -37.6173 }],
    ['55, 37', { latitude: 55, longitude: 37 }],
    ['55,7558,37,6173', undefined],
    ['55.7558', undefined],
    ['javascript:1, 2', undefined],
  ])('pasted as %j', (text, pair) => {
    expect(readCoordinatePair(text)).toEqual(pair);
  });
});

it.each([
  ['55.5', 55.5],
  [' -55,25 ', -55.25],
  ['180', 180],
  ['55.5.5', undefined],
  ['north', undefined],
  ['1e5', undefined],
  ['', undefined],
])('reads the one number %j', (text, expected) => {
  expect(readCoordinate(text)).toBe(expected);
});
