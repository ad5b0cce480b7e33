import type { KeyboardEvent } from 'react';
import type uPlot from 'uplot';
import { expect, test, vi } from 'vitest';
import { moveCursor } from './cursor-keys.ts';

/** A chart of five points, of which the second and the last are of no line. */
function makeChart(idx: number | null) {
  const setCursor = vi.fn();
  const chart = {
    data: [
      [0, 10, 20, 30, 40],
      [5, null, null, 5, null],
      [null, null, 7, null, undefined],
    ],
    cursor: { idx },
    valToPos: (time: number) => time - 3,
    setCursor,
  };
  // Of the chart nothing else is used.
  const press = (key: string) => moveCursor(chart as unknown as uPlot, { key } as unknown as KeyboardEvent);
  return { press, setCursor, chart };
}

test.each([
  ['ArrowRight', 0, 20],
  ['ArrowRight', 2, 30],
  ['ArrowRight', null, 0],
  ['ArrowLeft', 3, 20],
  ['ArrowLeft', 2, 0],
  ['ArrowLeft', null, 30],
  ['Home', 3, 0],
  ['End', 0, 30],
])('%s at point %s of a chart leads to the next one that a line has', (key, at, time) => {
  const { press, setCursor } = makeChart(at);
  expect(press(key)).toBe(true);
  // The first one begins before the period that is shown, and is led to all the same.
  expect(setCursor).toHaveBeenCalledExactlyOnceWith({ left: Math.max(0, time - 3), top: 8 }, true, true);
});

test.each([
  ['ArrowRight', 3],
  ['ArrowLeft', 0],
])('%s at the end of a chart moves nothing, and the page neither', (key, at) => {
  const { press, setCursor } = makeChart(at);
  expect(press(key)).toBe(true);
  expect(setCursor).not.toHaveBeenCalled();
});

test('Escape leaves a chart, and is the page’s where there is no cursor', () => {
  const inside = makeChart(2);
  expect(inside.press('Escape')).toBe(true);
  const [[position, ...rest] = []] = inside.setCursor.mock.calls;
  expect(position.left).toBeLessThan(0);
  expect(rest).toEqual([true, true]);
  const outside = makeChart(null);
  expect(outside.press('Escape')).toBe(false);
  expect(outside.setCursor).not.toHaveBeenCalled();
});

test('any other key on a chart is the page’s', () => {
  const { press, setCursor } = makeChart(2);
  expect(press('Tab')).toBe(false);
  expect(setCursor).not.toHaveBeenCalled();
});
