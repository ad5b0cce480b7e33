/**
 * What devices tell, in the form in which every kind of connection hands it on. Our own agent speaks it as it is, so the
 * form is that of its link; another kind writes the same lines and objects.
 */
export {
  type ControlMeta,
  type DeviceInfo,
  type LinkState as DeviceState,
  type MetricName,
  metricNames,
  type TelemetryEntry,
  type TelemetryOffset,
  type TelemetryTitle,
  telemetryEntrySchema,
  telemetryGreetingSchema,
  telemetryLimits,
} from '@pult/link';
