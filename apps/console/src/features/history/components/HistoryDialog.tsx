import { Button, Modal, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartPanel } from '../../../shared/charts/ChartPanel.tsx';
import { RefreshFailure } from '../../../shared/charts/RefreshFailure.tsx';
import { formatMoment } from '../../../shared/charts/time-axis.ts';
import type { OwnUnit } from '../../../shared/charts/units.ts';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { type HistorySearch, isChosen, periodNames } from '../history-search.ts';
import { isShare, toBand, toShare, toSteps } from '../history-series.ts';
import { type ControlName, historyQuery } from '../queries.ts';
import classes from './history-dialog.module.css';

/** A control as its list shows it. */
export interface HistoryControl extends ControlName {
  title: string;
  deviceTitle: string;
  /** A switch has two states, of which a share of time can be told; an enumeration has some; all else is a number. */
  kind: 'number' | 'switch' | 'enumeration';
  /** The same object for as long as the same is shown. */
  unit: OwnUnit;
}

interface Props {
  serialNumber: string;
  control: HistoryControl;
  search: HistorySearch;
  onChange: (changes: Partial<HistorySearch>) => void;
  onClose: () => void;
}

const minutes = 60;
const hours = 60 * minutes;
const days = 24 * hours;

/** What a control was: a chart of a period, of which a part can be chosen. */
export function HistoryDialog({ serialNumber, control, search, onChange, onClose }: Props) {
  const { t } = useTranslation(['history', 'shared']);
  const { formatNumber } = useFormat();
  const locale = useLocale();
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  // Mounted open, so that the dialog itself never knew what had the focus before.
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    },
    [opener],
  );
  const group = useId();
  const query = useQuery(historyQuery(serialNumber, control, search));
  const { data, error } = query;
  const { title, kind, unit } = control;
  const isPart = isChosen(search);
  const isSharePart = kind === 'switch' && data !== undefined && isShare(data.resolution);
  const label = isSharePart ? t('share', { title }) : title;

  const writePart = (seconds: number): string => {
    const [name, size] =
      seconds < hours
        ? (['minutes', minutes] as const)
        : seconds < days
          ? (['hours', hours] as const)
          : (['days', days] as const);
    const count = seconds / size;
    return t(`parts.${name}`, { count, formatted: formatNumber(count) });
  };

  const series =
    data &&
    (kind === 'number'
      ? toBand(data.points, data.resolution)
      : isSharePart
        ? toShare(data.points, data.resolution)
        : toSteps(data.points, Math.min(data.shown.stop, Date.now())));
  const main = { label, color: 'main' } as const;
  const edge = { label: '', color: 'main', isEdge: true } as const;

  return (
    <Modal
      opened
      onClose={onClose}
      size={920}
      fullScreen={isPhone}
      title={`${control.deviceTitle} · ${title}`}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
    >
      <div className={classes.content}>
        <div className={classes.bar}>
          <SegmentedControl
            size="xs"
            aria-label={t('period')}
            // Of none while a part is chosen.
            value={isPart ? '' : search.historyPeriod}
            onChange={(period) => {
              const name = periodNames.find((each) => each === period);
              if (name) onChange({ historyPeriod: name, historyFrom: 0, historyTo: 0 });
            }}
            data={periodNames.map((value) => ({ value, label: t(`periods.${value}`) }))}
          />
          {isPart && (
            <>
              <span className={classes.selected}>
                {formatMoment(search.historyFrom, locale)} – {formatMoment(search.historyTo, locale)}
              </span>
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => onChange({ historyFrom: 0, historyTo: 0 })}
              >
                {t('showAll')}
              </Button>
            </>
          )}
        </div>
        {error && data && <RefreshFailure error={error} onRetry={() => void query.refetch()} />}
        {error && !data ? (
          <ErrorState title={t('loadFailed')} error={error} onRetry={() => void query.refetch()} />
        ) : (
          <div className={classes.chart}>
            <ChartPanel
              title={label}
              subject={serialNumber}
              unit={isSharePart ? 'percent' : unit}
              lines={
                kind === 'number'
                  ? [main, edge, edge]
                  : [{ ...main, isFilled: isSharePart, isStepped: !isSharePart }]
              }
              content={series && data && { series, shown: data.shown }}
              empty={t('empty')}
              group={group}
              onSelect={(start, stop) =>
                onChange({ historyFrom: Math.round(start), historyTo: Math.round(stop) })
              }
            />
          </div>
        )}
        <div className={classes.notes}>
          {data && data.points.length > 0 && (kind === 'number' || isSharePart) && (
            <p>
              {writePart(data.resolution)}. {kind === 'number' && t('band')}
            </p>
          )}
          {!isPhone && <p>{t('zoomHint')}</p>}
        </div>
      </div>
    </Modal>
  );
}
