import { randomBytes } from 'node:crypto';
import { type MetricName, type TelemetryOffset, telemetryLimits } from '@pult/link';
import { wait } from '../../platform/wait.ts';

interface Entry {
  offset: number;
  /** Of the monotonic clock, in whole milliseconds: a fraction would take an object of its own. */
  at: number;
  /** The line's fields but `offset` and `age`, as JSON without braces; see pack. */
  body: string;
}

/** What an entry is about: a text, or an object that stands for itself. */
type Subject = string | object;

interface LogOptions {
  /** Monotonic milliseconds; tests bring their own. */
  now?: () => number;
  /** Measurements that are kept: a week of one a minute. */
  maxSamples?: number;
  /** Bytes of all that is kept about controls; beyond them their texts are cut short. */
  maxLength?: number;
  /** Shortest time between two tellings, in milliseconds: the last value in it is told. */
  intervalMs?: number;
}

/** One reader is told no more at a time. */
const linesPerPart = telemetryLimits.linesPerSecond;

/**
 * What is to be told to the server, numbered. Of a subject (a control's value, its description) only the newest entry is
 * kept, so that memory depends on how much there is to know and not on how often it changes; measurements are kept one by
 * one, the oldest going first. Nothing is taken out for having been told: whoever comes back asks for what came after.
 */
export class TelemetryLog {
  #streamId = createStreamId();
  #offset = 0;
  #lost = 0;
  #length = 0;
  /** In the order of their numbers: a changed one goes to the end. */
  readonly #subjects = new Map<Subject, Entry>();
  readonly #samples: Entry[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #now: () => number;
  readonly #maxSamples: number;
  readonly #maxLength: number;
  readonly #intervalMs: number;

  constructor({ now, maxSamples = 10_080, maxLength = 4 << 20, intervalMs = 1000 }: LogOptions = {}) {
    this.#now = now ?? (() => performance.now());
    this.#maxSamples = maxSamples;
    this.#maxLength = maxLength;
    this.#intervalMs = intervalMs;
  }

  /** Names the present stream: one numbering of entries. */
  get streamId(): string {
    return this.#streamId;
  }

  /** Whether texts must be short, because too much is kept already. */
  get isFull(): boolean {
    return this.#length >= this.#maxLength;
  }

  get size(): number {
    return this.#subjects.size + this.#samples.length;
  }

  /** Replaces what was to be told of that subject. */
  put(subject: Subject, fields: Readonly<Record<string, unknown>>): void {
    this.forget(subject);
    const entry = this.#createEntry(fields);
    this.#length += entry.body.length;
    this.#subjects.set(subject, entry);
    this.#wake();
  }

  /** What is to be told of that subject: it need not be kept elsewhere too. */
  get(subject: Subject): Readonly<Record<string, unknown>> | undefined {
    const entry = this.#subjects.get(subject);
    // It was such an object when it was put in.
    return entry && (JSON.parse(`{${unpack(entry.body)}}`) as Record<string, unknown>);
  }

  /** Nothing is told of that subject any more. */
  forget(subject: Subject): void {
    this.#length -= this.#subjects.get(subject)?.body.length ?? 0;
    this.#subjects.delete(subject);
  }

  addSample(metrics: Partial<Record<MetricName, number>>): void {
    this.#samples.push(this.#createEntry({ metrics }));
    if (this.#samples.length > this.#maxSamples) {
      this.#samples.shift();
      this.#lost += 1;
    }
    this.#wake();
  }

  /** Numbers every subject anew, so that all are told again. */
  renew(): void {
    for (const [subject, entry] of [...this.#subjects]) {
      this.#subjects.delete(subject);
      this.#offset += 1;
      this.#subjects.set(subject, { ...entry, offset: this.#offset });
    }
    this.#wake();
  }

  /** Starts over for a new owner, who is told what is so now and nothing of what was before. */
  restart(): void {
    this.#streamId = createStreamId();
    this.#offset = 0;
    this.#lost = 0;
    this.#samples.length = 0;
    this.renew();
  }

  /**
   * The greeting, then what comes after the offset, in lines, for ever. An offset of another stream, or of one that
   * never was, counts as the beginning.
   */
  async *read(since: TelemetryOffset, signal: AbortSignal): AsyncGenerator<string> {
    const streamId = this.#streamId;
    let told = since.streamId === streamId && since.offset <= this.#offset ? since.offset : 0;
    yield `${JSON.stringify({ streamId, lost: this.#lost })}\n`;
    // A restart ends the stream: who listens comes back and is greeted anew.
    while (!signal.aborted && this.#streamId === streamId) {
      const entries = this.#listAfter(told);
      const last = entries.at(-1);
      if (!last) {
        await this.#nextEntry(signal);
        continue;
      }
      const now = this.#now();
      told = last.offset;
      yield entries.map(({ offset, at, body }) => formatLine(offset, now - at, unpack(body))).join('');
      await wait(this.#intervalMs, signal);
    }
  }

  /** At most a part's worth, lowest numbers first. */
  #listAfter(offset: number): Entry[] {
    const found: Entry[] = [];
    if (this.#offset === offset) return found;
    const isNew = (entry: Entry) => entry.offset > offset;
    const samples = this.#samples.slice(this.#samples.findLastIndex((sample) => !isNew(sample)) + 1);
    for (const entry of this.#subjects.values()) {
      if (!isNew(entry)) continue;
      while (samples[0] && samples[0].offset < entry.offset) found.push(...samples.splice(0, 1));
      found.push(entry);
      if (found.length >= linesPerPart) break;
    }
    if (found.length < linesPerPart) found.push(...samples);
    return found.slice(0, linesPerPart);
  }

  #createEntry(fields: Readonly<Record<string, unknown>>): Entry {
    this.#offset += 1;
    return {
      offset: this.#offset,
      at: Math.round(this.#now()),
      body: pack(JSON.stringify(fields).slice(1, -1)),
    };
  }

  #nextEntry(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}

/**
 * A text as its bytes of UTF-8, one a code unit: one letter beyond Latin makes each of a text's take two bytes, and most
 * descriptions have titles in two languages.
 */
function pack(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function unpack(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function formatLine(offset: number, age: number, body: string): string {
  return `{"offset":${offset},"age":${Math.max(0, Math.round(age))},${body}}\n`;
}

function createStreamId(): string {
  return randomBytes(9).toString('base64url');
}
