import { isSerialNumber } from '@pult/link';
import { expect, test } from 'vitest';
import { createFleet } from './fleet.ts';
import { places } from './places.ts';

const secret = Buffer.alloc(32, 7);

test('the demo’s fleet is the same at every start, and another for another installation', () => {
  const [one, two] = [createFleet(secret, 50), createFleet(secret, 50)];
  expect(two.map(({ serialNumber }) => serialNumber)).toEqual(one.map(({ serialNumber }) => serialNumber));
  expect(two[7]?.publicKey.equals(one[7]?.publicKey ?? Buffer.alloc(0))).toBe(true);
  const other = createFleet(Buffer.alloc(32, 8), 50);
  expect(other[7]?.publicKey.equals(one[7]?.publicKey ?? Buffer.alloc(0))).toBe(false);
});

test('the fleet is of the size asked for, everyone with a number and a key of its own, and says that it is simulated', () => {
  const fleet = createFleet(secret, 1000);
  expect(fleet).toHaveLength(1000);
  expect(new Set(fleet.map(({ serialNumber }) => serialNumber)).size).toBe(1000);
  expect(new Set(fleet.map(({ publicKey }) => publicKey.toString('hex'))).size).toBe(1000);
  for (const { serialNumber, model } of fleet) {
    expect(isSerialNumber(serialNumber)).toBe(true);
    expect(model).toContain('simulated');
  }
});

test('it stands around real towns, in all states, mostly in groups', () => {
  const fleet = createFleet(secret, 1000);
  const near = fleet.filter(({ coordinates }) =>
    places.some(
      ({ latitude, longitude }) =>
        coordinates &&
        Math.abs(coordinates.latitude - latitude) < 0.2 &&
        Math.abs(coordinates.longitude - longitude) < 0.5,
    ),
  );
  expect(near.length).toBeGreaterThan(940);
  expect(near).toHaveLength(fleet.filter(({ coordinates }) => coordinates).length);
  const count = (state: string) => fleet.filter((controller) => controller.state === state).length;
  expect(count('online')).toBeGreaterThan(800);
  expect(count('offline')).toBeGreaterThan(60);
  expect(count('never')).toBeGreaterThan(10);
  expect(fleet.filter(({ groupPath }) => groupPath.length === 0).length).toBeLessThan(60);
});
