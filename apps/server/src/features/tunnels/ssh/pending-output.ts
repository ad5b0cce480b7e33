/**
 * The output of a shell that its page has not acknowledged yet, by the position of its bytes since the start. What is held
 * here can be sent again to a connection that takes the shell over.
 */
export interface PendingOutput {
  /** Position after the last byte. */
  readonly end: number;
  readonly acked: number;
  /** False when the page is behind: call `done` once it has caught up. */
  add(chunk: Buffer, done: () => void): boolean;
  /** Forgets what the page has acknowledged. False for a position that was never reached. */
  ack(position: number): boolean;
  /** What follows a position; undefined when it is no longer, or not yet, there. */
  from(position: number): Buffer[] | undefined;
}

/** Beside the bytes: a shell that writes single ones must not make a long list of them. */
const maxChunks = 4096;

export function createPendingOutput(window: number): PendingOutput {
  const chunks: Buffer[] = [];
  const waiting: (() => void)[] = [];
  let end = 0;
  let acked = 0;
  /** Position of the first chunk, which may be acknowledged in part. */
  let start = 0;

  return {
    get end() {
      return end;
    },
    get acked() {
      return acked;
    },
    add(chunk, done) {
      chunks.push(chunk);
      end += chunk.length;
      if (end - acked < window && chunks.length < maxChunks) return true;
      waiting.push(done);
      return false;
    },
    ack(position) {
      if (position > end) return false;
      acked = Math.max(acked, position);
      let whole = 0;
      for (const chunk of chunks) {
        if (start + chunk.length > acked) break;
        start += chunk.length;
        whole += 1;
      }
      chunks.splice(0, whole);
      const isNear = end - acked <= window / 2 && chunks.length <= maxChunks / 2;
      if (isNear) for (const done of waiting.splice(0)) done();
      return true;
    },
    from(position) {
      if (position < acked || position > end) return undefined;
      const rest: Buffer[] = [];
      let at = start;
      for (const chunk of chunks) {
        if (at + chunk.length > position) rest.push(chunk.subarray(Math.max(0, position - at)));
        at += chunk.length;
      }
      return rest;
    },
  };
}
