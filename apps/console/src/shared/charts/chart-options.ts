import type { Locale } from '@pult/contract';
import type uPlot from 'uplot';
import { type ChartPalette, faint, type LineColor, shade } from './palette.ts';
import { findLonePoints } from './series.ts';
import { labelTimes } from './time-axis.ts';
import type { TimeWindow } from './time-search.ts';
import { chooseScale, formatValue, stepsOf, type Unit } from './units.ts';

export interface LineStyle {
  label: string;
  color: LineColor;
  /** Shades what is under it. */
  isFilled?: boolean;
  isDashed?: boolean;
  /** What it was it is until the next point: a state, which has no extremes. */
  isStepped?: boolean;
  /** One of the two edges of what is shaded about the first line: it is not drawn itself. */
  isEdge?: boolean;
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
  /** Told which time somebody has drawn the pointer over. */
  onSelect?: ((start: number, stop: number) => void) | undefined;
  steps?: uPlot.Series.PathBuilder | undefined;
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

/** Less, in pixels, is a click. */
const shortestSelection = 6;

function tellSelection(chart: uPlot, tell: (start: number, stop: number) => void): void {
  const { left, width } = chart.select;
  if (width < shortestSelection) return;
  chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  tell(chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x'));
}

/** How a chart is drawn; times in milliseconds. */
export function createChartOptions(settings: Settings): uPlot.Options {
  const { lines, unit, locale, palette, size, group, readWindow, onCursor, onSelect } = settings;
  const axis = {
    stroke: palette.muted,
    font: `${fontSize}px ${palette.font}`,
    grid: { stroke: palette.grid, width: 1 },
    ticks: { stroke: palette.grid, width: 1, size: 4 },
  };
  const steps = stepsOf(unit);
  const marks = typeof unit === 'object' ? unit.marks : undefined;
  const edges = lines.flatMap(({ isEdge }, index) => (isEdge ? [index + 1] : []));
  return {
    ...size,
    ms: 1,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    select: { show: onSelect !== undefined, left: 0, top: 0, width: 0, height: 0 },
    cursor: {
      y: false,
      drag: { x: onSelect !== undefined, y: false, setScale: false },
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
        ...(marks ? { splits: [...marks] } : {}),
        values: (_, values) => values.map((value) => formatValue(value, unit, locale)),
      },
    ],
    series: [
      {},
      ...lines.map(
        ({ label, color, isFilled = false, isDashed = false, isStepped, isEdge }): uPlot.Series => ({
          label,
          stroke: isEdge ? 'transparent' : palette[color],
          width: isEdge ? 0 : 1.5,
          ...(isStepped && settings.steps ? { paths: settings.steps } : {}),
          ...(isFilled ? { fill: faint(palette[color]) } : {}),
          ...(isDashed ? { dash: [5, 4] } : {}),
          points: {
            show: false,
            size: isEdge ? 0 : 4,
            fill: palette[color],
            filter: (chart, index) => findLonePoints(chart.data[index] ?? []),
          },
        }),
      ),
    ],
    ...(edges.length === 2
      ? { bands: [{ series: [edges[0] ?? 0, edges[1] ?? 0], fill: shade(palette.main) }] }
      : {}),
    hooks: {
      setCursor: [(chart) => onCursor(findPoint(chart))],
      setSelect: onSelect ? [(chart) => tellSelection(chart, onSelect)] : [],
    },
  };
}
