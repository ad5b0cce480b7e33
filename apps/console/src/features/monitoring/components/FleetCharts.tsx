import { Select } from '@mantine/core';
import { type SystemMetricName, systemMetricNames, systemMetricTable } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartPanel } from '../../../shared/charts/ChartPanel.tsx';
import charts from '../../../shared/charts/charts.module.css';
import { RefreshFailure } from '../../../shared/charts/RefreshFailure.tsx';
import { TimeControls } from '../../../shared/charts/TimeControls.tsx';
import { timeSearch } from '../../../shared/charts/time-search.ts';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { useSearchOf } from '../../../shared/search/use-search-of.ts';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { monitoringSearch } from '../monitoring-search.ts';
import { fleetMetricsQuery, fleetPresenceQuery, worstControllersQuery } from '../queries.ts';
import classes from './monitoring.module.css';
import { WorstControllers } from './WorstControllers.tsx';

interface Props {
  organization: { id: string; name: string };
}

/** A whole fleet over time: who was online, how one figure spreads over it, and where it is worst now. */
export function FleetCharts({ organization }: Props) {
  const { t } = useTranslation('monitoring');
  const locale = useLocale();
  const group = useId();
  const { search, change } = useSearchOf(timeSearch, { isPart: true });
  const subject = useSearchOf(monitoringSearch, { isPart: true });
  const { metric } = subject.search;
  const { label, unit } = systemMetricTable[metric];
  const presence = useQuery(fleetPresenceQuery(organization.id, search));
  const figures = useQuery(fleetMetricsQuery(organization.id, metric, search));
  const worst = useQuery(worstControllersQuery(organization.id, metric, search));
  const refresh = () => {
    for (const query of [presence, figures, worst]) void query.refetch();
  };
  const error = presence.error ?? figures.error;
  const metricName = label[locale];

  return (
    <>
      <div className={classes.bar}>
        <TimeControls
          search={search}
          onChange={change}
          onRefresh={refresh}
          isRefreshing={[presence, figures, worst].some(({ isRefetching }) => isRefetching)}
        />
        <Select
          size="xs"
          className={classes.metric ?? ''}
          aria-label={t('metric')}
          allowDeselect={false}
          value={metric}
          data={systemMetricNames.map((name) => ({
            value: name,
            label: systemMetricTable[name].label[locale],
          }))}
          // Of the names above.
          onChange={(name) => name && subject.change({ metric: name as SystemMetricName })}
        />
      </div>
      {error && (presence.data || figures.data) && <RefreshFailure error={error} onRetry={refresh} />}
      {error && !presence.data && !figures.data ? (
        <ErrorState title={t('loadFailed')} error={error} onRetry={refresh} />
      ) : (
        <div className={charts.grid}>
          <ChartPanel
            title={t('presence')}
            subject={organization.name}
            unit="count"
            lines={[
              { label: t('online'), color: 'good', isFilled: true },
              { label: t('total'), color: 'quiet', isDashed: true },
            ]}
            content={presence.data}
            empty={t('noPresence')}
            group={group}
          />
          <ChartPanel
            title={metricName}
            subject={organization.name}
            unit={unit}
            lines={[
              { label: t('median'), color: 'main' },
              { label: t('worst'), color: 'bad' },
              { label: t('best'), color: 'quiet', isDashed: true },
            ]}
            content={figures.data}
            empty={t('noFigures')}
            group={group}
          />
        </div>
      )}
      <WorstControllers organizationId={organization.id} metricName={metricName} unit={unit} query={worst} />
    </>
  );
}
