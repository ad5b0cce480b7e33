/** A request of the cloud that is traced. */
export interface RequestTrace {
  /** In the form of W3C Trace Context, version 00. */
  readonly traceParent: string;
  /** Called once or more often; the first time counts. `tookMicros` is what the device says, of its own work. */
  end(outcome: { error?: Error | undefined; tookMicros?: number | undefined }): void;
}

/** Told of a request that is about to be sent, by its kind; undefined where it is not traced. */
export type TraceRequest = (name: string) => RequestTrace | undefined;

const TRACE = ' trace=';
const TOOK = ' took=';

/** A device that takes traces (`ACCEPTS_HEADER`) finds it at the end of the line, and answers with how long it took. */
export function addTraceParent(line: string, traceParent: string): string {
  return `${line}${TRACE}${traceParent}`;
}

/** The line without it; `traceParent` is undefined where there is none, or none of that form. */
export function splitTraceParent(line: string): { line: string; traceParent: string | undefined } {
  const at = line.lastIndexOf(TRACE);
  const traceParent = at === -1 ? '' : line.slice(at + TRACE.length);
  return /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceParent)
    ? { line: line.slice(0, at), traceParent }
    : { line, traceParent: undefined };
}

export function addTook(text: string, micros: number): string {
  return `${text}${TOOK}${Math.round(micros)}`;
}

export function splitTook(text: string): { text: string; tookMicros?: number } {
  const at = text.lastIndexOf(TOOK);
  const digits = at === -1 ? '' : text.slice(at + TOOK.length);
  return /^[0-9]{1,12}$/.test(digits) ? { text: text.slice(0, at), tookMicros: Number(digits) } : { text };
}
