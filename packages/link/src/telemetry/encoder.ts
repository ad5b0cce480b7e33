import { ageUnit, batchLimits, forgetsNames, type Kind, kinds } from './batch.ts';
import { ByteWriter } from './bytes.ts';
import { metricNames, type TelemetryEntry, type TelemetryGreeting } from './entries.ts';
import { packFrame } from './frame.ts';
import { type NumberedControl, NumberedNames } from './names.ts';
import { createLastNumber, writeValue } from './values.ts';

/** Writes one subscription: the greeting, then entries, whose names are told once. */
export class TelemetryEncoder {
  readonly #names = new NumberedNames();
  readonly #deviceNumbers = new Map<string, number>();
  readonly #controls = new Map<string, NumberedControl>();
  readonly #lastMetrics = metricNames.map(createLastNumber);
  readonly #kinds = new ByteWriter();
  readonly #offsets = new ByteWriter();
  readonly #ages = new ByteWriter();
  readonly #subjects = new ByteWriter();
  readonly #contents = new ByteWriter();
  readonly #columns = [this.#kinds, this.#offsets, this.#ages, this.#subjects, this.#contents];
  #flags = 0;
  #count = 0;
  #offset = 0;
  /** Of the entry before in the same batch. */
  #age = 0;
  #control = -1;

  encodeGreeting(greeting: TelemetryGreeting): Buffer {
    return packFrame(Buffer.from(JSON.stringify(greeting)));
  }

  /** Batches of these, each as soon as it is full: an entry is taken when the batch before has been. */
  *encode(entries: Iterable<TelemetryEntry>): Generator<Buffer> {
    for (const entry of entries) {
      if (!this.#hasRoomFor(entry)) {
        if (this.#count > 0) yield this.#finish();
        this.#forgetNames();
      }
      this.#add(entry);
      if (this.#isFull()) yield this.#finish();
    }
    if (this.#count > 0) yield this.#finish();
  }

  #isFull(): boolean {
    const length = this.#columns.reduce((sum, column) => sum + column.length, 0);
    return this.#count === batchLimits.entries || length >= batchLimits.fullAtBytes;
  }

  /** For names that are still to be told. */
  #hasRoomFor(entry: TelemetryEntry): boolean {
    if ('metrics' in entry) return true;
    const isKnown = this.#deviceNumbers.has(entry.device);
    const isControlKnown = !('control' in entry) || this.#controls.has(keyOf(entry));
    return this.#names.hasRoomFor(
      isKnown ? undefined : entry.device,
      isControlKnown ? undefined : entry.control,
    );
  }

  #forgetNames(): void {
    this.#names.clear();
    this.#deviceNumbers.clear();
    this.#controls.clear();
    this.#flags = forgetsNames;
  }

  #add(entry: TelemetryEntry): void {
    const age = Math.floor(entry.age / ageUnit);
    this.#kinds.writeByte(kinds.indexOf(kindOf(entry)));
    this.#offsets.writeSigned(entry.offset - this.#offset - 1);
    this.#ages.writeSigned(age - this.#age);
    this.#addContent(entry);
    this.#offset = entry.offset;
    this.#age = age;
    this.#count += 1;
  }

  #addContent(entry: TelemetryEntry): void {
    if ('metrics' in entry) {
      this.#addMetrics(entry.metrics);
    } else if (!('control' in entry)) {
      this.#addDevice(entry.device);
      this.#contents.writeText(JSON.stringify(entry.title));
    } else {
      const named = this.#addControl(entry);
      if ('value' in entry) writeValue(this.#contents, entry.value, named);
      else if ('meta' in entry) this.#contents.writeText(JSON.stringify(entry.meta));
    }
  }

  #addMetrics(metrics: Extract<TelemetryEntry, { metrics: unknown }>['metrics']): void {
    const told = metricNames.map((name) => metrics[name]);
    let mask = 0;
    for (const [bit, value] of told.entries()) if (value !== undefined) mask += 1 << bit;
    this.#contents.writeByte(mask);
    for (const [bit, last] of this.#lastMetrics.entries()) {
      const value = told[bit];
      if (value !== undefined) writeValue(this.#contents, String(value), last);
    }
  }

  #addDevice(device: string): void {
    const known = this.#deviceNumbers.get(device);
    this.#subjects.writeVarint(known ?? this.#names.devices.length);
    if (known !== undefined) return;
    this.#deviceNumbers.set(device, this.#names.devices.length);
    this.#names.addDevice(device);
    this.#subjects.writeText(device);
  }

  #addControl({ device, control }: ControlName): NumberedControl {
    const key = keyOf({ device, control });
    const known = this.#controls.get(key);
    const number = known?.number ?? this.#names.controls.length;
    this.#subjects.writeSigned(number - this.#control - 1);
    this.#control = number;
    if (known) return known;
    this.#addDevice(device);
    this.#subjects.writeText(control);
    const added = this.#names.addControl(device, control);
    this.#controls.set(key, added);
    return added;
  }

  #finish(): Buffer {
    const head = new ByteWriter();
    head.writeByte(this.#flags);
    head.writeVarint(this.#count);
    const body = Buffer.concat([head, ...this.#columns].map((column) => column.read()));
    for (const column of this.#columns) column.clear();
    this.#flags = 0;
    this.#count = 0;
    this.#age = 0;
    this.#control = -1;
    return packFrame(body);
  }
}

interface ControlName {
  device: string;
  control: string;
}

/** No text of a device has this character, so no two controls have one key. */
const keyOf = ({ device, control }: ControlName) => `${device}\u0000${control}`;

function kindOf(entry: TelemetryEntry): Kind {
  if ('value' in entry) return 'value';
  if ('metrics' in entry) return 'metrics';
  if ('meta' in entry) return 'meta';
  return 'gone' in entry ? 'gone' : 'title';
}
