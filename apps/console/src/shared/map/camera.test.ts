import { expect, test } from 'vitest';
import { readCamera, writeCamera } from './camera.ts';

test('the view of the map survives the way through an address', () => {
  const camera = { latitude: 55.7512, longitude: 37.6184, zoom: 12.5 };
  const address = writeCamera(camera);
  expect(address).toEqual({ center: '55.751200,37.618400', zoom: '12.50' });
  expect(readCamera(address)).toEqual(camera);
  // Far away, nobody needs metres; beyond 180° the world begins anew.
  expect(writeCamera({ latitude: 55.7512, longitude: 197.6, zoom: 2 })).toMatchObject({
    center: '55.75,-162.40',
  });
});

test.each([
  {},
  { center: '55,37' },
  { zoom: '5' },
  { center: '95,37', zoom: '5' },
  { center: '55,190', zoom: '5' },
  { center: '55,37', zoom: '40' },
  { center: '55,37', zoom: '-1' },
  { center: '55;37', zoom: '5' },
  { center: '<b>,1', zoom: 'x' },
])('an address that says nothing of use shows all: %o', (raw) => {
  expect(readCamera(raw)).toBeUndefined();
});
