import * as z from 'zod';

/**
 * What a device tells over `GET /v1/telemetry`, one JSON object a line. The first line is the greeting, each later one
 * a numbered entry. Numbers grow by gaps: an entry that a newer one of the same subject replaced is not told any more.
 * Nothing depends on the device's clock: `age` is how long ago it was when the line was written.
 */

/** What an honest agent keeps to, and a server holds a device to. Lengths are in UTF-16 code units. */
export const telemetryLimits = {
  controls: 10_000,
  devices: 2_000,
  idLength: 200,
  titleLength: 200,
  valueLength: 1000,
  /** Of a type, units or an error. */
  wordLength: 50,
  /** A line of the longest ids and values, every character escaped, with room to spare. */
  lineBytes: 16 * 1024,
  /** Entries a second that an agent sends at most. */
  linesPerSecond: 2000,
} as const;

/** What a controller measures of itself, and in what. */
export const metricNames = [
  /** Average length of the run queue over 15 minutes. */
  'load15',
  /** Percent of all processors since the measurement before. */
  'cpu_usage',
  /** Bytes that programs can still get. */
  'mem_available',
  /** Bytes free on / and on the data partition. */
  'disk_free_root',
  'disk_free_data',
  /** Degrees Celsius of the hottest thermal zone. */
  'temperature',
  /** Seconds since the kernel's start. */
  'uptime',
] as const;
export type MetricName = (typeof metricNames)[number];

// Control characters, halves of surrogate pairs, and those that turn the direction of what follows.
const unwanted = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
/** A text of a device that can be stored and shown as it stands. */
const inert = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !unwanted.test(text));

const { idLength, titleLength, valueLength, wordLength } = telemetryLimits;
const id = inert(idLength).min(1);
const word = inert(wordLength).nullable();

/** A name as the device gives it: in languages, or one for all as `en`. */
const title = z.object({ en: inert(titleLength).nullable(), ru: inert(titleLength).nullable() });
export type TelemetryTitle = z.infer<typeof title>;

const meta = z.object({
  title,
  type: word,
  units: word,
  order: z.int().min(-1_000_000).max(1_000_000).nullable(),
  readonly: z.boolean().nullable(),
  error: word,
});
export type ControlMeta = z.infer<typeof meta>;

export const telemetryGreetingSchema = z.object({
  /** Names one stream of numbered entries: another one means that the agent has started over. */
  streamId: z.string().regex(/^[A-Za-z0-9_-]{8,32}$/),
  /** How many measurements had no room while nobody listened. */
  lost: z.int().min(0).max(1e9),
});
export type TelemetryGreeting = z.infer<typeof telemetryGreetingSchema>;

const numbered = {
  offset: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** Milliseconds. */
  age: z.number().min(0).max(1e12),
};
const control = { device: id, control: id };

export const telemetryEntrySchema = z.union([
  z.object({ ...numbered, ...control, value: inert(valueLength) }),
  z.object({ ...numbered, ...control, meta }),
  z.object({ ...numbered, ...control, gone: z.literal(true) }),
  z.object({ ...numbered, device: id, title }),
  z.object({ ...numbered, metrics: z.partialRecord(z.enum(metricNames), z.number().min(-1e300).max(1e300)) }),
]);
export type TelemetryEntry = z.infer<typeof telemetryEntrySchema>;

/** From where a subscription resumes. `streamId` is null at the first time. */
export interface TelemetryOffset {
  streamId: string | null;
  offset: number;
}

export const TELEMETRY_PATH = '/v1/telemetry';

export function formatTelemetryPath({ streamId, offset }: TelemetryOffset): string {
  return `${TELEMETRY_PATH}?since=${offset}${streamId === null ? '' : `&stream_id=${streamId}`}`;
}

/** The offset of a request's path; null when it is no request for telemetry. */
export function parseTelemetryPath(path: string): TelemetryOffset | null {
  const match = /^\/v1\/telemetry\?since=([0-9]{1,16})(?:&stream_id=([A-Za-z0-9_-]{8,32}))?$/.exec(path);
  return match ? { offset: Number(match[1]), streamId: match[2] ?? null } : null;
}
