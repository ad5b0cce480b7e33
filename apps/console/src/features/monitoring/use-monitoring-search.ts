import type { SystemMetricName } from '@pult/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { metrics } from '../telemetry/index.ts';

/** What the page is about; it lives in the address beside the period. */
export interface MonitoringSearch {
  /** Named as Grafana's dashboards name a variable, so that one link serves both. */
  serialNumber: string | undefined;
  metric: (typeof metrics)[number];
}

export function useMonitoringSearch() {
  const raw: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const [first] = metrics;
  const search: MonitoringSearch = {
    serialNumber: raw['var-controller']?.toUpperCase() || undefined,
    metric: metrics.find(({ name }) => name === raw.metric) ?? first,
  };
  const go = (changes: Record<string, string | undefined>) =>
    void navigate({ to: '.', search: { ...raw, ...changes }, resetScroll: false });
  return {
    search,
    chooseController: (serialNumber: string | undefined) => go({ 'var-controller': serialNumber }),
    chooseMetric: (name: SystemMetricName) => go({ metric: name === first.name ? undefined : name }),
  };
}
