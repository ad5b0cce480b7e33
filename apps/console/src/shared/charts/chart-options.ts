import type { Locale } from '@pult/contract';
import type uPlot from 'uplot';
import { type ChartPalette, faint, type LineColor } from './palette.ts';
import { findLonePoints } from './series.ts';
import { labelTimes } from './time-axis.ts';
import type { TimeWindow } from './time-search.ts';
import { axisSteps, chooseScale, formatValue, type Unit } from './units.ts';

export interface LineStyle {
  label: string;
  color: LineColor;
  /** Shades what is under it. */
  isFilled?: boolean;
  isDashed?: boolean;
}

interface Settings {
  lines: readonly LineStyle[];
  unit: Unit;
  locale: Locale;
  palette: ChartPalette;
  size: { width: number; height: number };
  /** Charts of one group share the cursor. */
  group: string;
  readWindow: () => TimeWindow;
  onCursor: (index: number | null) => void;
}

const fontSize = 11;
const axisWidth = 64;

/** Farther from the cursor than this, in pixels, a point is not what one points at. */
const reach = 24;

function findPoint({ cursor, data, valToPos }: uPlot): number | null {
  const { idx, left } = cursor;
  const time = idx === null || idx === undefined ? undefined : data[0][idx];
  if (time === undefined || left === undefined || left < 0) return null;
  return Math.abs(valToPos(time, 'x') - left) <= reach ? (idx ?? null) : null;
}

/** How a chart is drawn; times in milliseconds. */
export function createChartOptions(settings: Settings): uPlot.Options {
  const { lines, unit, locale, palette, size, group, readWindow, onCursor } = settings;
  const axis = {
    stroke: palette.muted,
    font: `${fontSize}px ${palette.font}`,
    grid: { stroke: palette.grid, width: 1 },
    ticks: { stroke: palette.grid, width: 1, size: 4 },
  };
  const steps = axisSteps[unit];
  return {
    ...size,
    ms: 1,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      points: { size: 7, width: 1.5, fill: palette.surface },
      sync: { key: group, scales: ['x', null] },
    },
    scales: {
      x: {
        time: true,
        range: () => {
          const { start, stop } = readWindow();
          return [start, stop];
        },
      },
      y: { range: (_, lowest, highest) => chooseScale(unit, lowest, highest) },
    },
    axes: [
      {
        ...axis,
        size: 42,
        gap: 4,
        space: 72,
        grid: { show: false },
        values: (_, times, __, ___, step) => labelTimes(times, step, locale),
      },
      {
        ...axis,
        size: axisWidth,
        gap: 6,
        space: 36,
        ticks: { show: false },
        ...(steps ? { incrs: [...steps] } : {}),
        values: (_, values) => values.map((value) => formatValue(value, unit, locale)),
      },
    ],
    series: [
      {},
      ...lines.map(
        ({ label, color, isFilled = false, isDashed = false }): uPlot.Series => ({
          label,
          stroke: palette[color],
          width: 1.5,
          ...(isFilled ? { fill: faint(palette[color]) } : {}),
          ...(isDashed ? { dash: [5, 4] } : {}),
          points: {
            show: false,
            size: 4,
            fill: palette[color],
            filter: (chart, index) => findLonePoints(chart.data[index] ?? []),
          },
        }),
      ),
    ],
    hooks: { setCursor: [(chart) => onCursor(findPoint(chart))] },
  };
}
