import { expect, test } from 'vitest';
import { drawQr } from './qr-path.ts';

/** The dark modules that a path of rows draws. */
function readPath(path: string): Set<string> {
  const dark = new Set<string>();
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let step = 0; step < Number(length); step += 1) dark.add(`${Number(x) + step} ${y}`);
  }
  return dark;
}

test('a code has its three corners, its timing lines, and light around it', () => {
  const { path, viewBox } = drawQr('https://pult.example.com/controllers/A1B2C3D4');
  const side = Number(viewBox.split(' ')[2]);
  const size = side - 8;
  expect(viewBox).toBe(`-4 -4 ${side} ${side}`);
  const dark = readPath(path);
  for (const [left, top] of [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ] as const) {
    for (let step = 0; step < 7; step += 1) {
      expect(dark.has(`${left + step} ${top}`)).toBe(true);
      expect(dark.has(`${left} ${top + step}`)).toBe(true);
    }
    expect(dark.has(`${left + 1} ${top + 1}`)).toBe(false);
    expect(dark.has(`${left + 3} ${top + 3}`)).toBe(true);
  }
  // ISO/IEC 18004: dark and light by turns between the corners.
  for (let place = 8; place < size - 8; place += 1) {
    expect([place, dark.has(`${place} 6`)]).toEqual([place, place % 2 === 0]);
    expect([place, dark.has(`6 ${place}`)]).toEqual([place, place % 2 === 0]);
  }
});

test('another address is another code', () => {
  expect(drawQr('https://a.test/controllers/A').path).not.toBe(drawQr('https://a.test/controllers/B').path);
});
