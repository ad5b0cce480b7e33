/** An upstream that has not answered in time. */
export class UpstreamTimeoutError extends Error {
  override readonly name = 'UpstreamTimeoutError';

  constructor() {
    super('no answer in time');
  }
}

/**
 * Why there is no answer, or one that no browser could show either: it begins as no answer of HTTP does, its first line has no status
 * from 100 to 999, its connection ended within its head, it goes over to another protocol that nobody has asked for.
 */
export type AnswerFault =
  | 'noAnswer'
  | 'notHttp'
  | 'unknownStatus'
  | 'largeHead'
  | 'cutHead'
  | 'unaskedSwitch';

/** An upstream that was reached, and has not answered what can be read. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly fault: AnswerFault;

  constructor(fault: AnswerFault) {
    super(`no readable answer: ${fault}`);
    this.fault = fault;
  }
}

/** How a TCP connection and a stream of a device's link say that the other side has cut them. */
const resetCodes = new Set<unknown>(['ECONNRESET', 'EPIPE', 'service_reset']);

/** Whether the upstream closed its connection without an answer. */
export function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && resetCodes.has(error.code);
}
