export { createTelemetryFeature, type TelemetryFeature, type TelemetryTiming } from './telemetry.feature.ts';
