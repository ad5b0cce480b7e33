export {
  createMonitoringFeature,
  type MonitoringTiming,
} from './monitoring.feature.ts';
