import type { Readable } from 'node:stream';
import type { Clock } from '../../../platform/clock.ts';
import {
  type DeviceConnection,
  EndpointError,
  telemetryEntrySchema,
  telemetryGreetingSchema,
  telemetryLimits,
} from '../../devices/index.ts';
import type { SubscribedDevice } from '../offsets.repository.ts';
import type { Source, TimedEntry } from './batch.ts';
import type { IngestionQueue } from './ingestion-queue.ts';
import { type BudgetOptions, createLineBudget } from './line-budget.ts';
import { createLineSplitter } from './line-splitter.ts';

/** What came is not what any agent sends. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

export interface SubscriptionOptions {
  link: DeviceConnection;
  device: SubscribedDevice;
  queue: IngestionQueue;
  clock: Clock;
  signal: AbortSignal;
  /** Told once, at the end, when lines were left out. */
  onBadLines(count: number): void;
  /** Told once, after the greeting, when the device had no room for everything. */
  onLost(count: number): void;
  budget?: BudgetOptions | undefined;
}

/** Entries that wait to be stored, of one device. */
const entriesPerAdd = 500;
/** Lines of one stream that may be wrong: a newer agent may say what this server does not know. */
const maxBadLines = 10_000;
/** An age past this says nothing: the retention would leave it out anyway. */
const maxAgeMs = 3660 * 24 * 3600_000;

/**
 * Takes what a device tells until the signal fires or its stream ends, which it does when the agent starts over. Reads on
 * only when what was read is stored. Rejects with what ended it.
 */
export async function runSubscription(options: SubscriptionOptions): Promise<void> {
  const { link, device, queue, clock, signal, onBadLines, onLost } = options;
  if (!link.openTelemetry) throw new EndpointError('service_unknown', 'this kind of device has no telemetry');
  const stream = await link.openTelemetry({ streamId: device.streamId, offset: device.offset }, { signal });
  const stop = () => stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const split = createLineSplitter(telemetryLimits.lineBytes);
  const budget = createLineBudget(options.budget);
  let source: Source | undefined;
  let badLines = 0;
  const rejectLine = () => {
    badLines += 1;
    if (badLines > maxBadLines) throw new ProtocolError('too many bad lines');
  };

  async function takeLines(lines: readonly string[]): Promise<void> {
    const arrived = clock.now().getTime();
    let entries: TimedEntry[] = [];
    for (const line of lines) {
      if (source === undefined) {
        const greeting = telemetryGreetingSchema.safeParse(parseJson(line));
        if (!greeting.success) throw new ProtocolError('no greeting');
        const { controllerId, serialNumber, organizationId, activatedAt } = device;
        source = {
          controllerId,
          serialNumber,
          organizationId,
          activatedAt,
          streamId: greeting.data.streamId,
        };
        if (greeting.data.lost > 0) onLost(greeting.data.lost);
        continue;
      }
      const parsed = telemetryEntrySchema.safeParse(parseJson(line));
      if (!parsed.success) {
        rejectLine();
        continue;
      }
      const entry = parsed.data;
      entries.push({ entry, at: new Date(arrived - Math.min(entry.age, maxAgeMs)) });
      if (entries.length < entriesPerAdd) continue;
      await queue.add(source, entries);
      entries = [];
    }
    if (source && entries.length > 0) await queue.add(source, entries);
  }

  try {
    for await (const chunk of readChunks(stream)) {
      const lines = split(chunk);
      await budget.take(lines, signal);
      await takeLines(lines);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    stream.destroy();
    if (badLines > 0) onBadLines(badLines);
  }
}

/** A stream of bytes yields buffers. */
function readChunks(stream: Readable): AsyncIterable<Buffer> {
  return stream;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
