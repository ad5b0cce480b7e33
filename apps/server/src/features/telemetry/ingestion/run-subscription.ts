import type { Readable } from 'node:stream';
import type { Clock } from '../../../platform/clock.ts';
import {
  type DeviceConnection,
  EndpointError,
  TelemetryDecoder,
  type TelemetryEntry,
  TelemetryFormatError,
  type TelemetryPart,
} from '../../devices/index.ts';
import type { SubscribedDevice } from '../offsets.repository.ts';
import type { Source, TimedEntry } from './batch.ts';
import { type BudgetOptions, createEntryBudget } from './entry-budget.ts';
import type { IngestionQueue } from './ingestion-queue.ts';
import type { SampleBudget } from './sample-budget.ts';

export interface SubscriptionOptions {
  link: DeviceConnection;
  device: SubscribedDevice;
  queue: IngestionQueue;
  samples: SampleBudget;
  clock: Clock;
  signal: AbortSignal;
  /** Somebody looks at the values. */
  isLive: boolean;
  /** Told once, at the end, when entries were left out. */
  onBadEntries(count: number): void;
  /** Told whenever measurements were left out. */
  onSamplesLeftOut(count: number): void;
  /** Told once, after the greeting, when the device had no room for everything. */
  onLost(count: number): void;
  budget?: BudgetOptions | undefined;
}

/** Entries of one stream that may be wrong: a newer agent may say what this server does not know. */
const maxBadEntries = 10_000;
/** An age past this says nothing: the retention would leave it out anyway. */
const maxAgeMs = 3660 * 24 * 3600_000;

/** The measurements among these without the oldest ones, of which the numbers stay: the device is not to tell them again. */
function keepNewest(entries: readonly TelemetryEntry[], excess: number): readonly TelemetryEntry[] {
  let left = excess;
  return entries.map((entry) => {
    if (left === 0 || !('metrics' in entry)) return entry;
    left -= 1;
    return { ...entry, metrics: {} };
  });
}

/**
 * Takes what a device tells until the signal fires or its stream ends, which it does when the agent starts over. Reads on
 * only when what was read is stored. Rejects with what ended it.
 */
export async function runSubscription(options: SubscriptionOptions): Promise<void> {
  const { link, device, queue, samples, clock, signal, isLive, onBadEntries, onSamplesLeftOut, onLost } =
    options;
  if (!link.openTelemetry) throw new EndpointError('service_unknown', 'this kind of device has no telemetry');
  const { controllerId, serialNumber, organizationId, activatedAt, streamId, offset } = device;
  const stream = await link.openTelemetry({ streamId, offset, isLive }, { signal });
  const stop = () => stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const decoder = new TelemetryDecoder();
  const budget = createEntryBudget(options.budget);
  let source: Source | undefined;
  let badEntries = 0;
  /** The highest number that was taken here: what is told twice in one breath is not measured twice. */
  let last = 0;

  async function takePart(part: TelemetryPart): Promise<void> {
    if ('greeting' in part) {
      const { greeting } = part;
      source = { controllerId, serialNumber, organizationId, activatedAt, streamId: greeting.streamId };
      if (greeting.lost > 0) onLost(greeting.lost);
      return;
    }
    const arrived = clock.now().getTime();
    const count = part.entries.length + part.badEntries;
    await budget.take({ count, bytes: part.bytes }, signal);
    badEntries += part.badEntries;
    if (badEntries > maxBadEntries) throw new TelemetryFormatError('too many bad entries');
    const news = part.entries.filter(({ offset }) => {
      const isNew = offset > last;
      if (isNew) last = offset;
      return isNew;
    });
    if (!source || news.length === 0) return;
    const measured = news.filter((entry) => 'metrics' in entry).length;
    const kept = measured === 0 ? 0 : Math.min(measured, samples.roomOf(source));
    if (kept < measured) onSamplesLeftOut(measured - kept);
    const entries = keepNewest(news, measured - kept).map((entry): TimedEntry => {
      return { entry, at: new Date(arrived - Math.min(entry.age, maxAgeMs)) };
    });
    samples.spend(source, await queue.add(source, entries));
  }

  try {
    for await (const chunk of readChunks(stream)) {
      for (const part of decoder.decode(chunk)) await takePart(part);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    stream.destroy();
    if (badEntries > 0) onBadEntries(badEntries);
  }
}

/** A stream of bytes yields buffers. */
function readChunks(stream: Readable): AsyncIterable<Buffer> {
  return stream;
}
