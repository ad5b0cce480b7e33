export { type GrafanaStandIn, startGrafana } from './start-grafana.ts';
