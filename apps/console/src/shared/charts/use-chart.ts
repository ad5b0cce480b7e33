import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { useLocale } from '../i18n/i18n.ts';
import { loadPart } from '../page/load-part.ts';
import { createChartOptions, type LineStyle } from './chart-options.ts';
import { readPalette } from './palette.ts';
import type { Series } from './series.ts';
import type { TimeWindow } from './time-search.ts';
import type { Unit } from './units.ts';

export interface ChartContent {
  lines: readonly LineStyle[];
  series: Series;
  unit: Unit;
  shown: TimeWindow;
  group: string;
  onSelect?: ((start: number, stop: number) => void) | undefined;
}

function toData({ times, values }: Series): uPlot.AlignedData {
  return [[...times], ...values.map((line) => [...line])];
}

/** Draws into the container, as wide as that is: anew when the look changes, otherwise only what is new. */
export function useChart(container: RefObject<HTMLElement | null>, content: ChartContent) {
  const { lines, series, unit, shown, group, onSelect } = content;
  const locale = useLocale();
  const scheme = useComputedColorScheme('light');
  const [Plot, setPlot] = useState<{ make: typeof uPlot }>();
  const [failure, setFailure] = useState<unknown>();
  const [cursor, setCursor] = useState<number | null>(null);
  const chart = useRef<uPlot>(undefined);
  const current = useRef({ shown, series, onSelect });
  useLayoutEffect(() => {
    current.current = { shown, series, onSelect };
  });

  useEffect(() => {
    let isGone = false;
    loadUplot().then(
      (make) => !isGone && setPlot({ make }),
      (error: unknown) => !isGone && setFailure(error),
    );
    return () => {
      isGone = true;
    };
  }, []);

  const isSelectable = onSelect !== undefined;
  const look = JSON.stringify(lines);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` is of the lines, and the scheme of the colours
  useEffect(() => {
    const element = container.current;
    if (!Plot || !element) return;
    const measure = () => ({ width: element.clientWidth, height: element.clientHeight });
    const made = new Plot.make(
      createChartOptions({
        lines,
        unit,
        locale,
        group,
        palette: readPalette(element),
        size: measure(),
        readWindow: () => current.current.shown,
        onCursor: setCursor,
        onSelect: isSelectable ? (start, stop) => current.current.onSelect?.(start, stop) : undefined,
        steps: Plot.make.paths.stepped?.({ align: 1 }),
      }),
      toData(current.current.series),
      element,
    );
    chart.current = made;
    const observer = new ResizeObserver(() => {
      const size = measure();
      if (size.width !== made.width || size.height !== made.height) made.setSize(size);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      chart.current = undefined;
    };
  }, [Plot, container, look, unit, locale, group, scheme, isSelectable]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another window moves the axis under the same points
  useEffect(() => {
    chart.current?.setData(toData(series));
  }, [series, shown.start, shown.stop]);

  return { chart, cursor, failure };
}

let loading: Promise<typeof uPlot> | undefined;

async function load(): Promise<typeof uPlot> {
  const [{ default: Plot }] = await loadPart(() =>
    Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]),
  );
  return Plot;
}

/** The drawing of charts: loaded with the first one that is shown, once for all, and again after a failure. */
function loadUplot(): Promise<typeof uPlot> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
