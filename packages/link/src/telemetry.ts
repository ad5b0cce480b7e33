export { TelemetryDecoder, type TelemetryPart } from './telemetry/decoder.ts';
export { TelemetryEncoder } from './telemetry/encoder.ts';
export {
  type ControlMeta,
  type MetricName,
  metricNames,
  type TelemetryEntry,
  type TelemetryGreeting,
  type TelemetryTitle,
  telemetryEntrySchema,
  telemetryGreetingSchema,
  telemetryLimits,
} from './telemetry/entries.ts';
export { TelemetryFormatError } from './telemetry/format-error.ts';

/** From where a subscription resumes. `streamId` is null at the first time. */
export interface TelemetryOffset {
  streamId: string | null;
  offset: number;
  /** Somebody looks at the values: they are told within a second. Otherwise the device saves bytes. */
  isLive?: boolean;
}

export const TELEMETRY_PATH = '/v1/telemetry';

export function formatTelemetryPath({ streamId, offset, isLive = false }: TelemetryOffset): string {
  const stream = streamId === null ? '' : `&stream_id=${streamId}`;
  return `${TELEMETRY_PATH}?since=${offset}${stream}${isLive ? '&live=1' : ''}`;
}

/** The offset of a request's path; null when it is no request for telemetry. */
export function parseTelemetryPath(path: string): TelemetryOffset | null {
  const match = /^\/v1\/telemetry\?since=([0-9]{1,16})(?:&stream_id=([A-Za-z0-9_-]{8,32}))?(&live=1)?$/.exec(
    path,
  );
  if (!match) return null;
  const live = match[3] === undefined ? {} : { isLive: true };
  return { offset: Number(match[1]), streamId: match[2] ?? null, ...live };
}
