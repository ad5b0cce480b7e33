import { createHash } from 'node:crypto';
import {
  type SystemMetricName,
  type SystemMetricRow,
  systemMetricNames,
  systemMetricTable,
} from '@pult/contract';
import type { MetricName } from '../../devices/index.ts';

const datasource = { type: 'prometheus', uid: 'pult-metrics' };

/** The data source of one organization: this server, which answers about that organization alone. */
export function describeDatasource(url: string, organizationId: string) {
  return {
    uid: datasource.uid,
    name: 'Pult',
    type: datasource.type,
    access: 'proxy',
    url,
    isDefault: true,
    basicAuth: true,
    basicAuthUser: organizationId,
    // Points are averages of a step, so there is nothing to be had between the measurements.
    jsonData: { httpMethod: 'POST', timeInterval: '60s', prometheusType: 'Prometheus' },
  };
}

/** Of Grafana, by those of the contract. */
const units: Record<SystemMetricRow['unit'], { unit: string; max?: number }> = {
  percent: { unit: 'percent', max: 100 },
  number: { unit: 'short' },
  bytes: { unit: 'bytes' },
  celsius: { unit: 'celsius' },
  seconds: { unit: 's' },
};

/** A measurement that devices report has its row. */
const table: Readonly<Record<MetricName, SystemMetricRow>> = systemMetricTable;

const columns = 2;
const [width, height] = [12, 8];

function describePanel(metric: SystemMetricName, index: number) {
  const { label, unit } = table[metric];
  return {
    id: index + 1,
    type: 'timeseries',
    title: label.en,
    datasource,
    gridPos: {
      x: (index % columns) * width,
      y: Math.floor(index / columns) * height,
      w: width,
      h: height,
    },
    fieldConfig: { defaults: { min: 0, ...units[unit] }, overrides: [] },
    options: {
      legend: { displayMode: 'list', placement: 'bottom' },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: [
      {
        refId: 'A',
        datasource,
        expr: `pult_${metric}{serial=~"$controller"}`,
        legendFormat: '{{serial}}',
      },
    ],
  };
}

const uid = 'pult-controllers';

const model = {
  uid,
  title: 'Controllers',
  tags: ['pult'],
  timezone: 'browser',
  refresh: '1m',
  time: { from: 'now-6h', to: 'now' },
  schemaVersion: 39,
  templating: {
    list: [
      {
        name: 'controller',
        label: 'Controller',
        type: 'query',
        datasource,
        query: { query: 'label_values(serial)', refId: 'controllers' },
        // Controllers come and go.
        refresh: 2,
        sort: 1,
        multi: true,
        includeAll: false,
      },
    ],
  },
  panels: systemMetricNames.map(describePanel),
};

/** The dashboard that every organization gets. Another one replaces that in Grafana, with what was changed there. */
export const dashboard = {
  version: createHash('sha256').update(JSON.stringify(model)).digest('hex').slice(0, 16),
  path: `/d/${uid}/controllers`,
  model,
};
