export type { CloseReason, DeviceConnection, DiagnosticsStream } from './device-connection.ts';
export {
  type ControlMeta,
  compareVersions,
  getPublicKey,
  MAX_AGENT_BYTES,
  MAX_KEY_ROTATIONS,
  type MetricName,
  metricNames,
  signManifest,
  signRotation,
  TelemetryDecoder,
  type TelemetryEntry,
  TelemetryFormatError,
  type TelemetryOffset,
  type TelemetryPart,
  type TelemetryTitle,
  telemetryLimits,
  type UpdateOffer,
} from './device-data.ts';
export type { DeviceRouter } from './device-router.ts';
export { createDevicesFeature, type DevicesFeature, type DeviceTiming } from './devices.feature.ts';
export { EndpointError, type EndpointErrorCode, isEndpointError } from './endpoint-error.ts';
export { enrolmentOfController } from './enrolment-of-controller.repository.ts';
export type { Enrolment } from './enrolments.repository.ts';
export type { EnrolmentsService } from './enrolments.service.ts';
export type { KeyClaims, KeyHolder } from './key-claims.ts';
export type { LocalLinks } from './local-links.ts';
export { addTraffic, type Traffic } from './traffic-meter.ts';
export { whenConnected } from './when-connected.ts';
