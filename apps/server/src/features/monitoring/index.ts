export {
  createMonitoringFeature,
  type MonitoringFeature,
  type MonitoringTiming,
} from './monitoring.feature.ts';
