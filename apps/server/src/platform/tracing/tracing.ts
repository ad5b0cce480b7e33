import type { TraceRequest } from '@pult/link';

/** Of few values each, and of nobody: no serial number, email, token, address or query. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface Opening {
  name: string;
  attributes: SpanAttributes;
}

/** A piece of work in a trace. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Takes the error's kind, never its words. */
  fail(error: unknown): void;
  /** The first time counts. */
  end(): void;
}

export interface Statement {
  text: string;
  durationMs: number;
  error?: unknown;
}

/**
 * What the server tells of its work by OpenTelemetry, where it is asked to. Statements and requests to devices are told only as part of
 * what somebody has asked for, and of what that sets going within some seconds.
 */
export interface Tracing {
  readonly isOn: boolean;
  /** Does the work in a new trace. It ends the span. */
  begin<T>(opening: Opening, work: (span: Span) => T): T;
  /** One that has just ended. */
  noteStatement(statement: Statement): void;
  /** A request over a device's link, and what the device says of it. */
  readonly traceRequest: TraceRequest | undefined;
  /** Sends what is left. Never rejects. */
  stop(): Promise<void>;
}

const noSpan: Span = { set() {}, fail() {}, end() {} };

/** Costs a call. */
export const noTracing: Tracing = {
  isOn: false,
  begin: (_, work) => work(noSpan),
  noteStatement() {},
  traceRequest: undefined,
  stop: async () => {},
};

/** The same for work whose end is its promise's. */
export function traceWork<T>(
  tracing: Tracing,
  opening: Opening,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!tracing.isOn) return work(noSpan);
  return tracing.begin(opening, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.fail(error);
      throw error;
    } finally {
      span.end();
    }
  });
}
