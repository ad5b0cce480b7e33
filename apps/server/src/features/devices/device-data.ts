/**
 * What devices tell, in the form in which every kind of connection hands it on. Our own agent speaks it as it is, so the
 * form is that of its link; another kind writes the same bytes (`TelemetryEncoder`) and objects.
 */
export {
  type ControlMeta,
  compareVersions,
  type DeviceInfo,
  encodeBase32,
  getPublicKey,
  getServicePort as getPort,
  type LinkState as DeviceState,
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
} from '@pult/link';
