import { ActionIcon, Skeleton } from '@mantine/core';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../i18n/i18n.ts';
import { IconPhotoDown } from '../icons/IconPhotoDown.ts';
import { showToast } from '../toasts/show-toast.tsx';
import { AfterDelay } from '../ui/AfterDelay.tsx';
import { ChartPlot, type PlotHandle } from './ChartPlot.tsx';
import type { LineStyle } from './chart-options.ts';
import classes from './charts.module.css';
import { lineColors, readPalette } from './palette.ts';
import { savePicture } from './picture.ts';
import { type Series, summarizeLine } from './series.ts';
import { formatMoment } from './time-axis.ts';
import type { TimeWindow } from './time-search.ts';
import { formatValue, type Unit } from './units.ts';

interface Props {
  title: string;
  /** Of what it is: named in the picture and its file. */
  subject: string;
  unit: Unit;
  lines: readonly LineStyle[];
  /** Undefined while it is loaded. */
  content: { series: Series; shown: TimeWindow } | undefined;
  /** Stands in the place of the lines when there are none. */
  empty: ReactNode;
  /** Charts of one group share the cursor. */
  group: string;
  actions?: ReactNode;
  /** Told which time somebody has drawn the pointer over. */
  onSelect?: (start: number, stop: number) => void;
}

/** A chart with its title, its figures in words, and a way to take it along as a picture. */
export function ChartPanel({ title, subject, unit, lines, content, empty, group, actions, onSelect }: Props) {
  const { t } = useTranslation('charts');
  const locale = useLocale();
  const id = useId();
  const figure = useRef<HTMLElement>(null);
  const plot = useRef<PlotHandle>(null);
  const [cursor, setCursor] = useState<{ time: number; values: (number | null)[] }>();

  const write = (value: number) => formatValue(value, unit, locale);
  const edges = lines.flatMap(({ isEdge }, index) => (isEdge ? [index] : []));
  const summaries = useMemo(() => content?.series.values.map(summarizeLine) ?? [], [content]);
  /** Of a line between edges the extremes are those of the edges. */
  const extremesOf = (index: number) => {
    const all = [summaries[index], ...(index === 0 ? edges.map((edge) => summaries[edge]) : [])];
    const known = all.filter((summary) => summary !== undefined);
    return {
      lowest: write(Math.min(...known.map(({ lowest }) => lowest))),
      highest: write(Math.max(...known.map(({ highest }) => highest))),
    };
  };
  const isEmpty = summaries.every((summary) => summary === undefined);
  const labelOf = ({ label }: LineStyle) => (lines.length - edges.length > 1 ? label : '');

  /** What was the least and the most in the part of time that is pointed at. */
  const edgesAt = (values: readonly (number | null)[]) => {
    const known = edges.map((edge) => values[edge] ?? null).filter((value) => value !== null);
    return known.length === 0
      ? extremesOf(0)
      : { lowest: write(Math.min(...known)), highest: write(Math.max(...known)) };
  };

  const describe = (line: LineStyle, index: number): string => {
    const summary = summaries[index];
    const label = labelOf(line);
    if (!summary) return '';
    if (cursor) {
      const value = cursor.values[index];
      return `${label} ${value === null || value === undefined ? '–' : write(value)}`.trim();
    }
    if (line.isStepped) return `${label} ${t('last')} ${write(summary.last)}`.trim();
    const figures = { last: write(summary.last), ...extremesOf(index) };
    return `${label} ${t('summary', figures)}`.trim();
  };
  const description = [
    cursor && formatMoment(cursor.time, locale),
    ...lines.map((line, index) => (line.isEdge ? '' : describe(line, index))),
  ]
    .filter((text) => text)
    .join('; ');

  const save = async () => {
    const canvas = plot.current?.canvas;
    if (!canvas || !figure.current || !content) return;
    const { start, stop } = content.shown;
    const figures = lines.flatMap((line, index) => {
      if (line.isEdge) return [];
      const summary = summaries[index];
      const extremes = line.isStepped ? '' : ` · ${t('extremes', extremesOf(index))}`;
      const text = summary ? `${t('last')} ${write(summary.last)}${extremes}` : '–';
      return [{ label: line.label, color: line.color, text }];
    });
    try {
      await savePicture(
        canvas,
        {
          title,
          subtitle: `${subject} · ${formatMoment(start, locale)} – ${formatMoment(stop, locale)}`,
          lines: figures,
          palette: readPalette(figure.current),
          fileName: fileNameOf(subject, title),
        },
        window.devicePixelRatio || 1,
      );
    } catch {
      showToast({ severity: 'error', summary: t('saveFailed') });
    }
  };

  return (
    <figure className={classes.panel} ref={figure} aria-labelledby={`${id}-title`}>
      <figcaption className={classes.head}>
        <span className={classes.title} id={`${id}-title`}>
          {title}
        </span>
        <span className={classes.time}>{cursor && formatMoment(cursor.time, locale)}</span>
        {actions}
        {!isEmpty && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('savePicture', { title })}
            title={t('savePicture', { title })}
            onClick={() => void save()}
          >
            <IconPhotoDown size={16} stroke={1.6} />
          </ActionIcon>
        )}
      </figcaption>
      <div className={classes.plot}>
        {!content ? (
          <AfterDelay>
            <Skeleton height="100%" />
          </AfterDelay>
        ) : isEmpty ? (
          <p className={classes.nothing}>{empty}</p>
        ) : (
          <ChartPlot
            label={title}
            description={description}
            lines={lines}
            unit={unit}
            series={content.series}
            shown={content.shown}
            group={group}
            onSelect={onSelect}
            onCursor={setCursor}
            handle={plot}
          />
        )}
      </div>
      <ul className={classes.legend}>
        {lines.map((line, index) => {
          if (line.isEdge) return null;
          const summary = summaries[index];
          const value = cursor ? cursor.values[index] : summary?.last;
          return (
            <li key={line.label}>
              {lines.length - edges.length > 1 && (
                <>
                  <span
                    className={classes.mark}
                    data-dashed={line.isDashed || undefined}
                    style={{ color: `var(${lineColors[line.color]})` }}
                  />
                  <span>{line.label}</span>
                </>
              )}
              {summary && (
                <>
                  {!cursor && lines.length - edges.length === 1 && (
                    <span className={classes.muted}>{t('last')}</span>
                  )}
                  <b>{value === null || value === undefined ? '–' : write(value)}</b>
                  {!line.isStepped && (
                    <span className={classes.muted}>
                      {t('extremes', cursor && edges.length > 0 ? edgesAt(cursor.values) : extremesOf(index))}
                    </span>
                  )}
                </>
              )}
            </li>
          );
        })}
      </ul>
    </figure>
  );
}

function fileNameOf(...parts: readonly string[]): string {
  const name = parts.join('-').replace(/[^\p{L}\p{N}]+/gu, '-');
  return `${name.replace(/^-|-$/g, '').toLowerCase()}.png`;
}
