import type { TerminalClientMessage } from '@pult/contract';

/** Bytes acknowledged at once; the rest after a moment. */
const step = 64 * 1024;
const moment = 50;
/**
 * A page in the background draws seldom, and the shell must not wait for it: so much may be undrawn there before
 * the shell is held back.
 */
const hiddenSlack = 8 * 1024 * 1024;

/** Counts what a shell has written and what of it is on the screen, and acknowledges that to the server. */
export interface PendingOutput {
  /** Position after the last byte that has arrived. */
  readonly received: number;
  /** Bytes have arrived; the returned function is for when they are drawn. */
  arrived: (bytes: Uint8Array) => () => void;
  stop: () => void;
}

export function createPendingOutput(send: (message: TerminalClientMessage) => void): PendingOutput {
  let received = 0;
  let drawn = 0;
  let acked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function ack(): void {
    clearTimeout(timer);
    timer = undefined;
    acked = document.hidden ? Math.min(received, drawn + hiddenSlack) : Math.max(acked, drawn);
    send({ type: 'ackOutput', position: acked });
  }
  function ackSoon(): void {
    const unacked = (document.hidden ? Math.min(received, drawn + hiddenSlack) : drawn) - acked;
    if (unacked >= step) ack();
    else if (unacked > 0) timer ??= setTimeout(ack, moment);
  }

  return {
    get received() {
      return received;
    },
    arrived(bytes) {
      received += bytes.length;
      if (document.hidden) ackSoon();
      return () => {
        drawn += bytes.length;
        ackSoon();
      };
    },
    stop: () => clearTimeout(timer),
  };
}
