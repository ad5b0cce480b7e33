import type { Controller } from '@pult/contract';
import { systemMetricNames, systemMetricTable } from '@pult/contract/values';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartPanel } from '../../../shared/charts/ChartPanel.tsx';
import classes from '../../../shared/charts/charts.module.css';
import { RefreshFailure } from '../../../shared/charts/RefreshFailure.tsx';
import { TimeControls } from '../../../shared/charts/TimeControls.tsx';
import { timeSearch } from '../../../shared/charts/time-search.ts';
import { formatValue } from '../../../shared/charts/units.ts';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { beginWithData, type Chart } from '../begin-with-data.ts';
import { systemMetricsQuery } from '../metric-queries.ts';
import { findStarts } from '../starts.ts';
import system from './system-metrics.module.css';

interface Props {
  controller: Controller;
  /** Beside the choice of the period. */
  actions?: ReactNode;
}

/** What a controller's system measured, each figure in a chart, all of one time; its uptime, a saw as a chart, in words. */
export function ControllerCharts({ controller, actions }: Props) {
  const { t } = useTranslation('telemetry');
  const locale = useLocale();
  const { formatDate } = useFormat();
  const group = useId();
  const { search, change } = useSearchOf(timeSearch, { isPart: true });
  const { serialNumber, status, statusSince, activatedAt, connectionKind } = controller;
  const isReadByServer = connectionKind === 'wiren-board';
  const queries = useQueries({
    queries: systemMetricNames.map((name) => systemMetricsQuery(serialNumber, name, search)),
  });
  const refresh = () => {
    for (const query of queries) void query.refetch();
  };
  const failed = queries.find(({ error }) => error !== null);
  const contents = beginWithData(
    queries.map(({ data }) => data),
    Date.parse(activatedAt),
  );
  const uptime = contents[systemMetricNames.indexOf('uptime')];
  const isLoading = queries.some(({ data, error }) => data === undefined && error === null);
  const hasAny = queries.some(({ data }) => (data?.series.times.length ?? 0) > 0);
  const hasShown = queries.some(({ data }) => data !== undefined);

  const missing = systemMetricNames
    .filter((_, index) => contents[index]?.series.times.length === 0)
    .map((name) => systemMetricTable[name].label[locale]);

  const reason =
    status === 'never'
      ? t('charts.neverSeen')
      : status === 'offline'
        ? t('charts.offline', { since: formatDate(statusSince) })
        : t(isReadByServer ? 'charts.notReportedTunnel' : 'charts.notReported');

  return (
    <section className={system.charts} aria-label={t('charts.title')}>
      <div className={system.bar}>
        <TimeControls
          search={search}
          onChange={change}
          onRefresh={refresh}
          isRefreshing={queries.some(({ isRefetching }) => isRefetching)}
        />
        {actions}
      </div>
      {failed && hasShown && <RefreshFailure error={failed.error} onRetry={refresh} />}
      {failed && !hasShown ? (
        <ErrorState title={t('charts.loadFailed')} error={failed.error} onRetry={refresh} />
      ) : !isLoading && !hasAny ? (
        <EmptyState title={t('charts.empty')}>{reason}</EmptyState>
      ) : (
        <>
          <div className={classes.grid}>
            {systemMetricNames.map((name, index) => {
              if (name === 'uptime') return null;
              const { label, unit } = systemMetricTable[name];
              const content = contents[index];
              // Whether a figure is missing is said when all are here.
              const isMissing = content?.series.times.length === 0;
              if (isMissing && !isLoading) return null;
              return (
                <ChartPanel
                  key={name}
                  title={label[locale]}
                  subject={serialNumber}
                  unit={unit}
                  lines={[{ label: label[locale], color: 'main', isFilled: true }]}
                  content={isMissing ? undefined : content}
                  empty={null}
                  group={group}
                />
              );
            })}
          </div>
          {uptime && <Uptime chart={uptime} isOnline={status === 'online'} />}
          {!isLoading && missing.length > 0 && (
            <p className={system.line}>
              {t('charts.missing', { names: missing.join(', ') })}
              {isReadByServer && ` ${t('charts.missingTunnel')}`}
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** Since when the system runs, and how often it started in the period. */
function Uptime({ chart: { series, shown }, isOnline }: { chart: Chart; isOnline: boolean }) {
  const { t } = useTranslation('telemetry');
  const { formatDate, formatNumber } = useFormat();
  const locale = useLocale();
  const starts = findStarts(series);
  if (!starts) return null;
  const { last, count } = starts;
  const time = formatValue((shown.stop - last) / 1000, 'seconds', locale);
  return (
    <p className={system.line}>
      {isOnline && `${t('charts.running', { time, since: formatDate(last) })} `}
      {count === 0 ? t('charts.noStarts') : t('charts.starts', { count, formatted: formatNumber(count) })}
    </p>
  );
}
