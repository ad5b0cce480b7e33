import type { terminalWindows } from '@pult/contract';

/**
 * What was typed and the device has not taken yet, by the position of its bytes since the start of the shell. Kept
 * until it is taken: another connection may have to send it again.
 */
export interface PendingInput {
  add: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** The next piece to send; undefined while the device is behind or there is nothing. */
  next: () => Uint8Array<ArrayBuffer> | undefined;
  /** The device has all before this position. */
  ack: (position: number) => void;
  /** The server has all before this position, and nothing that was sent after it. */
  continueAt: (position: number) => void;
}

export function createPendingInput(
  windows: Pick<typeof terminalWindows, 'input' | 'inputMessage'>,
): PendingInput {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  /** Position of the first piece. */
  let start = 0;
  let sent = 0;
  let acked = 0;
  /** Of the pieces, how many are sent. */
  let sentPieces = 0;

  function forget(position: number): void {
    while (pieces[0] && start + pieces[0].length <= position) {
      start += pieces[0].length;
      pieces.shift();
      sentPieces = Math.max(0, sentPieces - 1);
    }
  }

  return {
    add(bytes) {
      for (let at = 0; at < bytes.length; at += windows.inputMessage) {
        pieces.push(bytes.subarray(at, at + windows.inputMessage));
      }
    },
    next() {
      const piece = pieces[sentPieces];
      if (!piece || sent + piece.length - acked > windows.input) return undefined;
      sentPieces += 1;
      sent += piece.length;
      return piece;
    },
    ack(position) {
      acked = Math.max(acked, position);
      forget(acked);
    },
    continueAt(position) {
      // A message arrives whole or not at all, so this is where a piece begins.
      forget(position);
      sent = start;
      sentPieces = 0;
    },
  };
}
