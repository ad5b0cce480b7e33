export type { MetricsStore } from './metrics/metrics-store.ts';
export { createTelemetryFeature, type TelemetryFeature, type TelemetryTiming } from './telemetry.feature.ts';
