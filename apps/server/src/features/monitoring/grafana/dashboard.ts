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

interface Panel {
  title: string;
  metric: MetricName;
  unit: string;
  max?: number;
}

const panels: readonly Panel[] = [
  { title: 'CPU', metric: 'cpu_usage', unit: 'percent', max: 100 },
  { title: 'Load, 15 min', metric: 'load15', unit: 'short' },
  { title: 'Memory available', metric: 'mem_available', unit: 'bytes' },
  { title: 'Temperature', metric: 'temperature', unit: 'celsius' },
  { title: 'Disk free: /', metric: 'disk_free_root', unit: 'bytes' },
  { title: 'Disk free: data', metric: 'disk_free_data', unit: 'bytes' },
  { title: 'Uptime', metric: 'uptime', unit: 's' },
];

const columns = 2;
const [width, height] = [12, 8];

function describePanel({ title, metric, unit, max }: Panel, index: number) {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    datasource,
    gridPos: {
      x: (index % columns) * width,
      y: Math.floor(index / columns) * height,
      w: width,
      h: height,
    },
    fieldConfig: { defaults: { unit, min: 0, ...(max === undefined ? {} : { max }) }, overrides: [] },
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

/** The dashboard that every organization gets. A new version replaces the one in Grafana, with what was changed there. */
export const dashboard = {
  version: '1',
  path: `/d/${uid}/controllers`,
  model: {
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
    panels: panels.map(describePanel),
  },
};
