/** No value may be a serial number, an email or an organization: labels say how something is, not whose. */
export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  labels?: Labels;
  value: number;
}

interface Described {
  /** By the conventions of Prometheus: base units, and `_total` for what only grows. */
  name: `pult_${string}`;
  help: string;
  labels?: readonly string[];
}

/** What a feature counts or keeps anyway, looked at when Prometheus asks. */
export interface ReadMetric extends Described {
  /** A counter begins anew with the server. */
  type: 'gauge' | 'counter';
  /** Samples that there are; none where there is nothing to tell. A failure leaves the metric out of that answer. */
  read(): readonly Sample[] | Promise<readonly Sample[]>;
}

export type ObserveValue = (labels: Labels, value: number) => void;

/** What is measured when it happens. */
export interface ObservedMetric extends Described {
  type: 'histogram';
  /** Upper bounds, the smallest first. */
  buckets: readonly number[];
  /** Called once, where the metrics are wanted at all: from then on each value is to be told. */
  observe(tell: ObserveValue): void;
}

/** A figure of the running server, as Prometheus reads it. */
export type Metric = ReadMetric | ObservedMetric;

/** The only sample of a metric without labels. */
export const sample = (value: number): readonly Sample[] => [{ value }];

/** A sample for each count, by what is counted. */
export function samplesBy(label: string, counts: Iterable<readonly [string, number]>): readonly Sample[] {
  return Array.from(counts, ([name, value]) => ({ labels: { [label]: name }, value }));
}

/** Counts by a name out of a small, fixed set. Those that are given are there from the start, at 0. */
export class Counts {
  readonly #counts: Map<string, number>;

  constructor(names: Iterable<string> = []) {
    this.#counts = new Map(Array.from(names, (name) => [name, 0]));
  }

  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  read(label: string): readonly Sample[] {
    return samplesBy(label, this.#counts);
  }
}

/** Several metrics of one query: whoever asks while it is under way gets the same answer. */
export function shareReading<T>(read: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= read().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
