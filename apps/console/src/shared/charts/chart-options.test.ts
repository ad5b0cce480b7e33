import type uPlot from 'uplot';
import { expect, test, vi } from 'vitest';
import { createChartOptions, type LineStyle } from './chart-options.ts';
import type { ChartPalette } from './palette.ts';

const palette: ChartPalette = {
  main: '#112233',
  quiet: '#445566',
  good: 'green',
  bad: 'red',
  text: '#000000',
  muted: '#777777',
  grid: '#dddddd',
  surface: '#ffffff',
  font: 'Inter',
};

function make(lines: readonly LineStyle[], unit: 'percent' | 'bytes' = 'percent') {
  const onCursor = vi.fn();
  const options = createChartOptions({
    lines,
    unit,
    locale: 'en',
    palette,
    size: { width: 600, height: 200 },
    group: 'cpu',
    readWindow: () => ({ start: 1000, stop: 5000 }),
    onCursor,
  });
  return { options, onCursor };
}

const line: LineStyle = { label: 'CPU', color: 'main' };

/** Where the cursor stands, in pixels, and the point that the chart takes for the nearest; a millisecond is a pixel. */
function point(left: number | undefined, idx: number | null | undefined) {
  const { options, onCursor } = make([line]);
  const chart = { cursor: { left, idx }, data: [[100, 200]], valToPos: (time: number) => time };
  // Of the chart its hook reads nothing else.
  for (const tell of options.hooks?.setCursor ?? []) tell?.(chart as unknown as uPlot);
  return onCursor.mock.lastCall;
}

test('what is near the cursor of a chart is what one points at', () => {
  expect(point(110, 0)).toEqual([0]);
  expect(point(124, 0)).toEqual([0]);
  expect(point(76, 0)).toEqual([0]);
  expect(point(190, 1)).toEqual([1]);
});

test('what is far from the cursor of a chart, or without a cursor, is not pointed at', () => {
  expect(point(125, 0)).toEqual([null]);
  expect(point(75, 0)).toEqual([null]);
  expect(point(110, null)).toEqual([null]);
  expect(point(110, undefined)).toEqual([null]);
  expect(point(undefined, 0)).toEqual([null]);
  expect(point(-10, 0)).toEqual([null]);
  expect(point(200, 7)).toEqual([null]);
});

test('a chart shows the whole period, whatever of it was measured', () => {
  const range = make([line]).options.scales?.x?.range;
  if (typeof range !== 'function') throw new Error('the axis has no range of its own');
  // It reads nothing of the chart.
  expect(range({} as uPlot, 2000, 3000, 'x')).toEqual([1000, 5000]);
});

test('the axes of a chart are labelled in words of the locale, the values with their unit', () => {
  const [times, values] = make([line]).options.axes ?? [];
  const labels = (axis: uPlot.Axis | undefined, splits: number[], step: number) =>
    typeof axis?.values === 'function' ? axis.values({} as uPlot, splits, 0, 0, step) : [];
  expect(labels(values, [0, 50], 50)).toEqual(['0%', '50%']);
  expect(labels(times, [Date.UTC(2026, 0, 5, 12)], 86_400_000)).toEqual(['5 Jan']);
  expect([times?.grid?.show, values?.grid?.show]).toEqual([false, undefined]);
});

test('a measure of bytes has steps of powers of two on its axis, a plain one those of the library', () => {
  expect(make([line], 'percent').options.axes?.[1]).not.toHaveProperty('incrs');
  const steps = make([line], 'bytes').options.axes?.[1]?.incrs;
  expect(Array.isArray(steps) && steps.includes(1024)).toBe(true);
});

test('lines of a chart are told apart by colour, fill and dashes, and a point without neighbours is drawn', () => {
  const filled: LineStyle = { label: 'In', color: 'quiet', isFilled: true };
  const { options } = make([line, filled, { label: 'Max', color: 'bad', isDashed: true }]);
  const [time, plain, shaded, dashed] = options.series;
  expect(time).toEqual({});
  expect(plain).toMatchObject({ label: 'CPU', stroke: '#112233', points: { show: false, fill: '#112233' } });
  expect([plain && 'fill' in plain, plain && 'dash' in plain]).toEqual([false, false]);
  expect([shaded?.fill, shaded && 'dash' in shaded]).toEqual(['#4455661a', false]);
  expect([dashed?.dash?.length, dashed && 'fill' in dashed]).toEqual([2, false]);
  const filter = plain?.points?.filter;
  if (typeof filter !== 'function') throw new Error('lone points are not looked for');
  const chart = {
    data: [
      [1, 2, 3, 4],
      [5, null, 5, 5],
    ],
  };
  expect(filter(chart as unknown as uPlot, 1, false)).toEqual([0]);
  expect(filter(chart as unknown as uPlot, 2, false)).toEqual([]);
});

test('charts of one group share the time of their cursor, and none is zoomed by dragging', () => {
  const { options } = make([line]);
  expect(options.cursor?.sync).toEqual({ key: 'cpu', scales: ['x', null] });
  expect(options.cursor).toMatchObject({ y: false, drag: { x: false, y: false, setScale: false } });
  expect(options).toMatchObject({ width: 600, height: 200, ms: 1 });
  expect([options.legend, options.select?.show]).toEqual([{ show: false }, false]);
});
