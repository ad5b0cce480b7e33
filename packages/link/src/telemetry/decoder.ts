import { ageUnit, batchLimits, forgetsNames, type Kind, kinds } from './batch.ts';
import { ByteReader } from './bytes.ts';
import {
  metricNames,
  type TelemetryEntry,
  type TelemetryGreeting,
  telemetryEntrySchemas,
  telemetryGreetingSchema,
} from './entries.ts';
import { TelemetryFormatError } from './format-error.ts';
import { FrameReader } from './frame.ts';
import { type NumberedControl, NumberedNames } from './names.ts';
import { createLastNumber, readValue } from './values.ts';

/** What came at once: the greeting, which is the first, or entries. */
export type TelemetryPart =
  | { greeting: TelemetryGreeting }
  | {
      entries: TelemetryEntry[];
      /** Entries besides these that say what no entry may say. */
      badEntries: number;
      /** Of the body, uncompressed. */
      bytes: number;
    };

/**
 * Reads one subscription, whatever a device sends: what is kept of it is bounded (`nameLimits`, `batchLimits`), and each
 * entry is one that its schema allows. Throws `TelemetryFormatError` at bytes that no encoder writes; the rest of the
 * subscription has no meaning then.
 */
export class TelemetryDecoder {
  readonly #frames = new FrameReader();
  readonly #names = new NumberedNames();
  readonly #lastMetrics = metricNames.map(createLastNumber);
  #isGreeted = false;
  #offset = 0;
  /** Of the entry before in the same batch. */
  #control = -1;

  /** One part at a time: what is behind it is looked at when it has been taken. */
  *decode(chunk: Buffer): Generator<TelemetryPart> {
    for (const body of this.#frames.read(chunk)) {
      if (this.#isGreeted) {
        yield this.#readBatch(body);
        continue;
      }
      const greeting = telemetryGreetingSchema.safeParse(parseJson(body.toString('utf8')));
      if (!greeting.success) throw new TelemetryFormatError('no greeting');
      this.#isGreeted = true;
      yield { greeting: greeting.data };
    }
  }

  #readBatch(body: Buffer): TelemetryPart {
    const reader = new ByteReader(body);
    const flags = reader.readByte();
    if (flags > forgetsNames) throw new TelemetryFormatError('unknown flags');
    if (flags === forgetsNames) this.#names.clear();
    const places = Array.from({ length: reader.readVarint(batchLimits.entries) });
    const read = <T>(readOne: (place: number) => T): T[] => places.map((_, place) => readOne(place));
    const told = read(() => readKind(reader));
    const offsets = read(() => this.#readOffset(reader));
    let lastAge = 0;
    const ages = read(() => {
      lastAge += reader.readSigned();
      return lastAge * ageUnit;
    });
    this.#control = -1;
    const contents = read((place) => this.#readSubject(reader, told[place]));
    const entries: TelemetryEntry[] = [];
    for (const [place, kind] of told.entries()) {
      const content = contents[place]?.();
      const entry = telemetryEntrySchemas[kind].safeParse({
        offset: offsets[place],
        age: ages[place],
        ...content,
      });
      if (entry.success) entries.push(entry.data);
    }
    if (!reader.isAtEnd) throw new TelemetryFormatError('a batch has more than its entries');
    return { entries, badEntries: told.length - entries.length, bytes: body.length };
  }

  #readOffset(reader: ByteReader): number {
    this.#offset += 1 + reader.readSigned();
    return this.#offset;
  }

  #readDevice(reader: ByteReader): string {
    const { devices } = this.#names;
    const known = devices[reader.readVarint(devices.length)];
    if (known !== undefined) return known;
    const device = reader.readText();
    this.#names.addDevice(device);
    return device;
  }

  #readControl(reader: ByteReader): NumberedControl {
    const { controls } = this.#names;
    this.#control += 1 + reader.readSigned();
    const known = controls[this.#control];
    if (known) return known;
    if (this.#control !== controls.length) throw new TelemetryFormatError('a control without a name');
    const device = this.#readDevice(reader);
    return this.#names.addControl(device, reader.readText());
  }

  /** Whom an entry is about, and how what it tells is read behind the subjects: nothing of it is checked yet. */
  #readSubject(reader: ByteReader, kind: Kind | undefined): () => Record<string, unknown> {
    if (kind === 'metrics') return () => ({ metrics: this.#readMetrics(reader) });
    if (kind === 'title') {
      const device = this.#readDevice(reader);
      return () => ({ device, title: parseJson(reader.readText()) });
    }
    const named = this.#readControl(reader);
    const { device, control } = named;
    if (kind === 'gone') return () => ({ device, control, gone: true });
    if (kind === 'meta') return () => ({ device, control, meta: parseJson(reader.readText()) });
    return () => ({ device, control, value: readValue(reader, named) });
  }

  #readMetrics(reader: ByteReader): Record<string, number> {
    const mask = reader.readByte();
    if (mask >= 1 << metricNames.length) throw new TelemetryFormatError('an unknown measurement');
    const metrics: Record<string, number> = {};
    for (const [bit, name] of metricNames.entries()) {
      const last = this.#lastMetrics[bit];
      if (last && mask & (1 << bit)) metrics[name] = Number(readValue(reader, last));
    }
    return metrics;
  }
}

function readKind(reader: ByteReader): Kind {
  const kind = kinds[reader.readByte()];
  if (kind === undefined) throw new TelemetryFormatError('an unknown kind of entry');
  return kind;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
