import type { TraceRequest } from '../request-trace.ts';
import type { Goodbye } from './frames.ts';
import type { LivenessOptions } from './liveness.ts';
import type { SessionStream } from './session-stream.ts';
import type { SharedMemory } from './shared-memory.ts';
import type { Priority } from './stream-route.ts';

export interface SessionOptions extends LivenessOptions {
  /** A stream of the other end, and the line it begins with. An end without it opens streams itself. */
  onStream?: (stream: SessionStream, line: string) => void;
  /** As what a stream of the other end is sent. */
  classify?: (line: string) => Priority;
  onGoodbye?: (goodbye: Goodbye) => void;
  /** Not of the cloud: what it sends may come from many people. */
  endsFloods?: boolean;
  /** How long it waits for another connection when one is lost; not at all unless told. */
  resumeMs?: number;
  /**
   * Only of the end that dials: another connection is wanted, which `addBulk` brings; it may fail. For bulk, or (`isUrgent`) because
   * the one that there is may be dead. True while one is on its way.
   */
  dialBulk?: ((isUrgent: boolean) => boolean) | undefined;
  /** Nobody has said anything for long, and a ping goes: what is said now goes with it. */
  onQuiet?: (() => void) | undefined;
  /** It has no connection, or has one again. */
  onWaiting?: (isWaiting: boolean) => void;
  /** Of the end that asks: told of each request before it is sent. */
  traceRequest?: TraceRequest | undefined;
  /** The other end takes requests with the context of a trace. */
  takesTraces?: boolean;
  /** Streams of ours that may be open at a time; 128 unless told, which is what a device serves. */
  maxOpen?: number | undefined;
  /** Memory that it shares with others. */
  memory?: SharedMemory | undefined;
}
