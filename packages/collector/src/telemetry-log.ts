import { randomBytes } from 'node:crypto';
import {
  type MetricName,
  TelemetryEncoder,
  type TelemetryEntry,
  type TelemetryOffset,
  telemetryLimits,
  wait,
} from '@pult/link';

interface Entry {
  offset: number;
  /** Of the monotonic clock, in whole milliseconds: a fraction would take an object of its own. */
  at: number;
  /** The entry's fields but `offset` and `age`, as JSON; see pack. */
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
  /** For how long entries are kept together while nobody looks at them, in milliseconds: the last of a subject is told. */
  quietMs?: number;
  /** For how long measurements alone are, when no occasion comes before. */
  patienceMs?: number;
  /** Shortest time between two tellings while somebody does. */
  liveMs?: number;
}

/** One reader is told no more in a second. */
const { entriesPerSecond } = telemetryLimits;

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
  /** Fires when the present stream is over. */
  #restarting = new AbortController();
  readonly #now: () => number;
  readonly #maxSamples: number;
  readonly #maxLength: number;
  /** Of what was told last of a subject. */
  #newestSubject = 0;
  /** Called when what waits is to be told. */
  readonly #occasions = new Set<() => void>();
  readonly #quietMs: number;
  readonly #patienceMs: number;
  readonly #liveMs: number;

  constructor(options: LogOptions = {}) {
    const { maxSamples = 10_080, maxLength = 4 << 20, quietMs = 10_000, liveMs = 1000 } = options;
    this.#patienceMs = options.patienceMs ?? 40_000;
    this.#now = options.now ?? (() => performance.now());
    this.#maxSamples = maxSamples;
    this.#maxLength = maxLength;
    this.#quietMs = quietMs;
    this.#liveMs = liveMs;
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
    this.#newestSubject = entry.offset;
    this.#wake();
  }

  /** What is to be told of that subject: it need not be kept elsewhere too. */
  get(subject: Subject): Readonly<Record<string, unknown>> | undefined {
    const entry = this.#subjects.get(subject);
    return entry && readFields(entry);
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
      this.#newestSubject = this.#offset;
    }
    this.#wake();
  }

  /** Starts over for a new owner, who is told what is so now and nothing of what was before. */
  restart(): void {
    this.#streamId = createStreamId();
    this.#offset = 0;
    this.#newestSubject = 0;
    this.#lost = 0;
    this.#samples.length = 0;
    this.renew();
    this.#restarting.abort();
    this.#restarting = new AbortController();
  }

  /** What is kept together is told now: something else goes to the server anyway. */
  tellNow(): void {
    for (const take of this.#occasions) take();
  }

  /**
   * The greeting, then what comes after the offset, in batches, for ever. An offset of another stream, or of one that never
   * was, counts as the beginning.
   */
  async *read(since: TelemetryOffset, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { isLive = false } = since;
    const streamId = this.#streamId;
    // A restart ends the stream: who listens comes back and is greeted anew.
    const ended = AbortSignal.any([signal, this.#restarting.signal]);
    const encoder = new TelemetryEncoder();
    yield encoder.encodeGreeting({ streamId, lost: this.#lost });
    let told = since.streamId === streamId && since.offset <= this.#offset ? since.offset : 0;
    // What has waited for somebody to listen goes at once.
    let isFirst = true;
    while (!ended.aborted) {
      if (told === this.#offset) await this.#nextEntry(ended);
      if (!isLive && !isFirst) await this.#batch(told, ended);
      isFirst = false;
      told = yield* this.#tell(encoder, told, ended);
      if (isLive) await wait(this.#liveMs, ended);
    }
  }

  /** The greeting and all there is to tell now. */
  async *readOnce(signal: AbortSignal): AsyncGenerator<Buffer> {
    const encoder = new TelemetryEncoder();
    yield encoder.encodeGreeting({ streamId: this.#streamId, lost: this.#lost });
    yield* this.#tell(encoder, 0, signal);
  }

  /** What comes after that offset; what changes meanwhile waits for the next time. Returns up to where that was. */
  async *#tell(encoder: TelemetryEncoder, since: number, ended: AbortSignal): AsyncGenerator<Buffer, number> {
    const last = this.#offset;
    let told = since;
    while (told < last && !ended.aborted) {
      const entries = this.#listBetween(told, last);
      yield* encoder.encode(this.#date(entries, ended));
      const isAll = entries.length < entriesPerSecond;
      told = isAll ? last : (entries.at(-1)?.offset ?? last);
      if (!isAll) await wait(1000, ended);
    }
    return told;
  }

  /** Keeps together what there is to tell after that offset: measurements alone until something else is said anyway. */
  async #batch(told: number, ended: AbortSignal): Promise<void> {
    // Joined by hand: an agent batches for months, and AbortSignal.any of Node 20 keeps what it has joined.
    const occasion = new AbortController();
    const patience = new AbortController();
    const take = () => {
      occasion.abort();
      patience.abort();
    };
    const look = () => {
      if (this.#newestSubject > told) patience.abort();
      else this.#waiting.add(look);
    };
    ended.addEventListener('abort', take);
    this.#occasions.add(take);
    if (ended.aborted) take();
    look();
    await wait(this.#patienceMs, patience.signal);
    this.#waiting.delete(look);
    if (this.#newestSubject > told) await wait(this.#quietMs, occasion.signal);
    this.#occasions.delete(take);
    ended.removeEventListener('abort', take);
  }

  /** After the one up to the other, lowest numbers first, at most a second's worth. */
  #listBetween(told: number, last: number): Entry[] {
    const isWanted = ({ offset }: Entry) => offset > told && offset <= last;
    const found: Entry[] = [];
    const samples = this.#samples.filter(isWanted).slice(0, entriesPerSecond);
    let sample = 0;
    for (const entry of this.#subjects.values()) {
      if (!isWanted(entry)) continue;
      for (let next = samples[sample]; next && next.offset < entry.offset; next = samples[sample]) {
        found.push(next);
        sample += 1;
      }
      found.push(entry);
      if (found.length >= entriesPerSecond) break;
    }
    return [...found, ...samples.slice(sample)].slice(0, entriesPerSecond);
  }

  /** Each with its age at the moment it is taken, until the signal fires. */
  *#date(entries: readonly Entry[], ended: AbortSignal): Generator<TelemetryEntry> {
    for (const entry of entries) {
      if (ended.aborted) return;
      const age = Math.max(0, this.#now() - entry.at);
      // Whoever put it in put in an entry's fields; the server looks at each.
      yield { offset: entry.offset, age, ...readFields(entry) } as TelemetryEntry;
    }
  }

  #createEntry(fields: Readonly<Record<string, unknown>>): Entry {
    this.#offset += 1;
    return {
      offset: this.#offset,
      at: Math.round(this.#now()),
      body: pack(JSON.stringify(fields)),
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

function readFields({ body }: Entry): Record<string, unknown> {
  // It was such an object when it was put in.
  return JSON.parse(unpack(body)) as Record<string, unknown>;
}

function createStreamId(): string {
  return randomBytes(9).toString('base64url');
}
