export { createMetricSamplesRepository } from './metrics/metric-samples.repository.ts';
export type { MetricsStore } from './metrics/metrics-store.ts';
export { createTelemetryFeature, type TelemetryTiming } from './telemetry.feature.ts';
