import * as z from 'zod';
import { isInert } from '../inert-text.ts';

/**
 * What a device tells over `GET /v1/telemetry`: a greeting, then numbered entries. Numbers grow by gaps: an entry that a
 * newer one of the same subject replaced is not told any more. Nothing depends on the device's clock: `age` is how long ago
 * it was when the entry was written.
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
  /** Of the titles of a control's values, as JSON in UTF-8: a batch has to have room for them. */
  enumBytes: 4000,
  /** That an agent sends at most. */
  entriesPerSecond: 2000,
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

const inert = (max: number) => z.string().max(max).refine(isInert);

const { idLength, titleLength, valueLength, wordLength, enumBytes } = telemetryLimits;
const id = inert(idLength).min(1);
const word = inert(wordLength).nullable();

/** A name as the device gives it: in languages, or one for all as `en`. */
const title = z.object({ en: inert(titleLength).nullable(), ru: inert(titleLength).nullable() });
export type TelemetryTitle = z.infer<typeof title>;

/** What is shown in place of values, by value. */
const valueTitles = z
  .record(inert(wordLength), title)
  .refine((titles) => Buffer.byteLength(JSON.stringify(titles)) <= enumBytes);

const meta = z.object({
  title,
  type: word,
  units: word,
  order: z.int().min(-1_000_000).max(1_000_000).nullable(),
  readonly: z.boolean().nullable(),
  error: word,
  /** Left out where a control has none, and by agents that do not know it. */
  enum: valueTitles.optional(),
});
export type ControlMeta = z.infer<typeof meta>;

export const telemetryGreetingSchema = z.object({
  /** Names one stream of numbered entries: another one means that the agent has started over. */
  streamId: z.string().regex(/^[A-Za-z0-9_-]{8,32}$/),
  /** How many measurements had no room while nobody listened. */
  lost: z.int().min(0).max(1e9),
});
export type TelemetryGreeting = z.infer<typeof telemetryGreetingSchema>;

/** Beyond all bytes, seconds and degrees, and far from where the square of a sum overflows in a database. */
const measured = z.number().min(-1e15).max(1e15);
const numbered = {
  offset: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** Milliseconds. */
  age: z.number().min(0).max(1e12),
};
const control = { device: id, control: id };

/** Of each kind of entry. */
export const telemetryEntrySchemas = {
  value: z.object({ ...numbered, ...control, value: inert(valueLength) }),
  meta: z.object({ ...numbered, ...control, meta }),
  gone: z.object({ ...numbered, ...control, gone: z.literal(true) }),
  title: z.object({ ...numbered, device: id, title }),
  metrics: z.object({
    ...numbered,
    metrics: z.partialRecord(z.enum(metricNames), measured),
  }),
};
export const telemetryEntrySchema = z.union([
  telemetryEntrySchemas.value,
  telemetryEntrySchemas.meta,
  telemetryEntrySchemas.gone,
  telemetryEntrySchemas.title,
  telemetryEntrySchemas.metrics,
]);
export type TelemetryEntry = z.infer<typeof telemetryEntrySchema>;
