/**
 * What devices tell, in the form in which every kind of connection hands it on. Our own agent speaks it as it is, so the
 * form is that of its link; another kind writes the same bytes (`TelemetryEncoder`) and objects.
 */
export {
  type ControlMeta,
  type DeviceInfo,
  encodeBase32,
  getServicePort as getPort,
  type LinkState as DeviceState,
  type MetricName,
  metricNames,
  TelemetryDecoder,
  type TelemetryEntry,
  TelemetryFormatError,
  type TelemetryOffset,
  type TelemetryPart,
  type TelemetryTitle,
  telemetryLimits,
} from '@pult/link';
