import type { Counts } from '../../prometheus/metric.ts';

/** `unheard`: nobody listens there. `silent`: no answer came in time. `cut`: this node does not reach the broker. */
export const busFailures = ['unheard', 'silent', 'cut'] as const;
export type BusFailure = (typeof busFailures)[number];

/** A question that got no answer. */
export class BusError extends Error {
  override readonly name = 'BusError';
  readonly failure: BusFailure;

  constructor(failure: BusFailure) {
    super(`no answer of another node: ${failure}`);
    this.failure = failure;
  }
}

export interface BusMessage {
  /** The id of the node that says it. */
  from: string;
  body: unknown;
}

/** What is given back is the answer, where one is wanted; undefined answers nothing. Errors are logged. */
export type BusHandler = (message: BusMessage) => unknown;

/** What nodes say to each other in a few words. Every message was written by a node of this installation, and arrives once or not. */
export interface NodeBus {
  /** Whether the broker is reached now. */
  readonly isConnected: boolean;
  /** Lost where the broker is not reached. */
  publish(subject: string, body: unknown): void;
  /** Until the returned function is called. */
  subscribe(subject: string, handler: BusHandler): () => void;
  /** Rejects with a BusError. */
  request(subject: string, body: unknown, timeoutMs?: number): Promise<unknown>;
  /** Resolves once the broker has taken what was subscribed to so far, and at once where it is not reached. */
  flush(): Promise<void>;
  /** Told whenever the broker is reached or not any more. */
  onConnection(listener: (isConnected: boolean) => void): void;
  readonly counts: {
    received: number;
    sent: number;
    /** Messages that were not believed, by reason. */
    readonly dropped: Counts;
    /** Questions of this node that got no answer, by reason. */
    readonly failed: Counts;
  };
}
