import { describe, expect, it } from 'vitest';
import { checkCoordinates, readCoordinate, readCoordinatePair, readCoordinates } from './coordinates.ts';

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
    ['55.7558,37.6173', { latitude: 55.7558, longitude: 37.6173 }],
    ['55.7558 ,37.6173', { latitude: 55.7558, longitude: 37.6173 }],
    ['55,7558, 37,6173', { latitude: 55.7558, longitude: 37.6173 }],
    ['\u221233,9 151,2', { latitude: -33.9, longitude: 151.2 }],
    ['\u201333.9,\u00a0+151.2', { latitude: -33.9, longitude: 151.2 }],
    ['(55.7558, 37.6173)', { latitude: 55.7558, longitude: 37.6173 }],
    ['55.7558°, 37.6173°', { latitude: 55.7558, longitude: 37.6173 }],
    ['55.7558° N, 37.6173° E', { latitude: 55.7558, longitude: 37.6173 }],
    ['N 33.9 W 70.5', { latitude: 33.9, longitude: -70.5 }],
    ['37.6173E, 55.7558N', { latitude: 55.7558, longitude: 37.6173 }],
    ['33.9s 151.2e', { latitude: -33.9, longitude: 151.2 }],
    ['55°45′21″N 37°37′03″E', { latitude: 55.7558333, longitude: 37.6175 }],
    ['55°45\'21"N,37°37\'3"E', { latitude: 55.7558333, longitude: 37.6175 }],
    ['55°45\u201921\u201d N37°37\u201903\u201d E', { latitude: 55.7558333, longitude: 37.6175 }],
    ['55° 45′ 21″ 37° 37′ 3″', { latitude: 55.7558333, longitude: 37.6175 }],
    ["55º45'21.5''S 37º37'03''W", { latitude: -55.7559722, longitude: -37.6175 }],
    ['55°45,35′N,37°37,05′E', { latitude: 55.7558333, longitude: 37.6175 }],
    ['N55 45.35 E37 37.05', { latitude: 55.7558333, longitude: 37.6175 }],
    ['55 45 21 N 37 37 03 E', { latitude: 55.7558333, longitude: 37.6175 }],
    ['55:45:21, 37:37:03', { latitude: 55.7558333, longitude: 37.6175 }],
    ['55°45′21″ с. ш., 37°37′03″ в. д.', { latitude: 55.7558333, longitude: 37.6175 }],
    ['55°45′21″ю.ш. 37°37′03″з.д.', { latitude: -55.7558333, longitude: -37.6175 }],
    ['55.7558 С, 37.6173 В', { latitude: 55.7558, longitude: 37.6173 }],
    ['geo:55.7558,37.6173', { latitude: 55.7558, longitude: 37.6173 }],
    ['geo:-33.9,151.2,20;u=35?z=12', { latitude: -33.9, longitude: 151.2 }],
    ['geo:0,0?q=55.7558%2C37.6173(Boiler)', { latitude: 55.7558, longitude: 37.6173 }],
    ['geo:55.7558,37.6173?q=Boiler', { latitude: 55.7558, longitude: 37.6173 }],
    ['N55.7558 E37.6173', { latitude: 55.7558, longitude: 37.6173 }],
    ['С55°45′21″ В37°37′03″', { latitude: 55.7558333, longitude: 37.6175 }],
    ['37.6173 в.д., 55.7558 с.ш.', { latitude: 55.7558, longitude: 37.6173 }],
    ['geo:moscow', undefined],
    ['55,25', undefined],
    ['55 45 21', undefined],
    ['55.7558 N, 37.6173', undefined],
    ['55.7558 N, 37.6173 N', undefined],
    ['-55.7558 S, 37.6173 E', undefined],
    ['55°60′N 37°00′E', undefined],
    ['55.5°30′N 37°00′E', undefined],
    ['1E5', undefined],
    [`55.7558, 37.6173${'0'.repeat(300)}`, undefined],
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
  ['\u221255,25', -55.25],
  ['55°45′21″', 55.7558333],
  ['55°45.35′ S', -55.7558333],
  ['W 37:37:03', -37.6175],
  ['55°45′21″ с.ш.', 55.7558333],
  ['- 55', undefined],
  ['55.5.5', undefined],
  ['north', undefined],
  ['1e5', undefined],
  ['', undefined],
])('reads the one number %j', (text, expected) => {
  expect(readCoordinate(text)).toBe(expected);
});

it.each([
  ['55,25', { latitude: 55.25 }],
  ['37°37′03″E', { longitude: 37.6175 }],
  ['55, 37', { latitude: 55, longitude: 37 }],
  ['', undefined],
])('takes %j in the field of the latitude as %j', (text, read) => {
  expect(readCoordinates(text, 'latitude')).toEqual(read);
});
