import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { resetSocket } from './reset-socket.ts';

/**
 * Carries bytes both ways between two streams until both directions have ended. An end on one side is
 * an end on the other, a cut on one side is a cut on the other, a slow reader holds its writer back. What goes from `a` to
 * `b` passes `there`, and what goes back passes `back`, where there is one. `isOpening`: what `a` says goes with the opening of `b`,
 * which emits `connect` when it is accepted; a refusal of it is the caller's to tell.
 */
export function joinStreams(
  a: Duplex,
  b: Duplex,
  {
    there,
    back,
    isOpening = false,
  }: { there?: Duplex | undefined; back?: Duplex | undefined; isOpening?: boolean } = {},
): void {
  (there ? a.pipe(there) : a).pipe(b);
  destroyTogether(a, b);
  if (isOpening) b.once('connect', () => answer(a, b, back));
  else answer(a, b, back);
}

function answer(a: Duplex, b: Duplex, back: Duplex | undefined): void {
  if (back) {
    b.pipe(back).pipe(a, { end: false });
    back.once('end', () => {
      if (b.readableEnded) a.end();
    });
  } else b.pipe(a);
  destroyTogether(b, a, back);
}

/** What has come from the source passes `between` before the other is destroyed. */
function destroyTogether(source: Duplex, other: Duplex, between?: Duplex): void {
  let failure: Error | undefined;
  source.on('error', (error) => {
    failure = error;
  });
  source.on('close', () => {
    if (source.readableEnded && source.writableFinished && !failure) return;
    // A plain close would look like a whole answer to the other side: TCP says it with a reset.
    const cut = () => {
      if (other instanceof Socket) resetSocket(other);
      else other.destroy(failure ?? new Error('the other side closed before its end'));
    };
    if (!between || between.readableEnded || between.destroyed) return cut();
    between.once('end', cut);
    between.end();
  });
}
