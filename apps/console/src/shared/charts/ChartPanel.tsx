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
}

/** A chart with its title, its figures in words, and a way to take it along as a picture. */
export function ChartPanel({ title, subject, unit, lines, content, empty, group, actions }: Props) {
  const { t } = useTranslation('charts');
  const locale = useLocale();
  const id = useId();
  const figure = useRef<HTMLElement>(null);
  const plot = useRef<PlotHandle>(null);
  const [cursor, setCursor] = useState<{ time: number; values: (number | null)[] }>();

  const summaries = useMemo(() => content?.series.values.map(summarizeLine) ?? [], [content]);
  const isEmpty = summaries.every((summary) => summary === undefined);
  const write = (value: number) => formatValue(value, unit, locale);
  const labelOf = ({ label }: LineStyle) => (lines.length > 1 ? label : '');

  const describe = (line: LineStyle, index: number): string => {
    const summary = summaries[index];
    const label = labelOf(line);
    if (!summary) return '';
    if (cursor) {
      const value = cursor.values[index];
      return `${label} ${value === null || value === undefined ? '–' : write(value)}`.trim();
    }
    const { last, lowest, highest } = summary;
    const figures = { last: write(last), lowest: write(lowest), highest: write(highest) };
    return `${label} ${t('summary', figures)}`.trim();
  };
  const description = [cursor && formatMoment(cursor.time, locale), ...lines.map(describe)]
    .filter((text) => text)
    .join('; ');

  const save = async () => {
    const canvas = plot.current?.canvas;
    if (!canvas || !figure.current || !content) return;
    const { start, stop } = content.shown;
    const figures = lines.map((line, index) => {
      const summary = summaries[index];
      const { lowest, highest, last } = summary ?? { lowest: 0, highest: 0, last: 0 };
      const extremes = t('extremes', { lowest: write(lowest), highest: write(highest) });
      return {
        label: line.label,
        color: line.color,
        text: summary ? `${t('last')} ${write(last)} · ${extremes}` : '–',
      };
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
            onCursor={setCursor}
            handle={plot}
          />
        )}
      </div>
      <ul className={classes.legend}>
        {lines.map((line, index) => {
          const summary = summaries[index];
          const value = cursor ? cursor.values[index] : summary?.last;
          return (
            <li key={line.label}>
              {lines.length > 1 && (
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
                  {!cursor && lines.length === 1 && <span className={classes.muted}>{t('last')}</span>}
                  <b>{value === null || value === undefined ? '–' : write(value)}</b>
                  <span className={classes.muted}>
                    {t('extremes', { lowest: write(summary.lowest), highest: write(summary.highest) })}
                  </span>
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
