import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './charts.module.css';
import { moveCursor } from './cursor-keys.ts';
import { withGaps } from './series.ts';
import { type ChartContent, useChart } from './use-chart.ts';

export interface PlotHandle {
  canvas: HTMLCanvasElement | undefined;
}

interface Props extends ChartContent {
  label: string;
  /** What it shows in words: of the cursor, or as a whole. */
  description: string;
  /** The time under the cursor in milliseconds, with the value of each line there. */
  onCursor: (at: { time: number; values: (number | null)[] } | undefined) => void;
  handle: RefObject<PlotHandle | null>;
}

/** The drawing itself. By keyboard and for screen readers it is a slider along the points. */
export function ChartPlot({ label, description, onCursor, handle, ...content }: Props) {
  const { t } = useTranslation('charts');
  const container = useRef<HTMLDivElement>(null);
  const gapped = useMemo(() => withGaps(content.series), [content.series]);
  const { chart, cursor, failure } = useChart(container, { ...content, series: gapped });
  useImperativeHandle(handle, () => ({
    get canvas() {
      return chart.current?.ctx.canvas;
    },
  }));

  useEffect(() => {
    const time = cursor === null ? undefined : gapped.times[cursor];
    const values = gapped.values.map((line) => (cursor === null ? null : (line[cursor] ?? null)));
    onCursor(time === undefined ? undefined : { time, values });
  }, [cursor, gapped, onCursor]);

  if (failure !== undefined) return <p className={classes.nothing}>{t('drawFailed')}</p>;
  const last = Math.max(0, gapped.times.length - 1);
  return (
    <div
      ref={container}
      className={classes.canvas}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={cursor ?? last}
      aria-valuetext={description}
      aria-readonly
      onKeyDown={(event) => {
        if (chart.current && moveCursor(chart.current, event)) event.preventDefault();
      }}
    />
  );
}
