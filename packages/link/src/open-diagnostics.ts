import { pipeline } from 'node:stream';
import { ArchiveReader } from './archive-frames.ts';
import type { ArchiveStream } from './diagnostics.ts';
import { openAccepted } from './open-stream.ts';
import type { Session } from './session/session.ts';

/** Sends the request for diagnostics and waits until the device collects. */
export async function openDiagnosticsStream(
  session: Session,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ArchiveStream> {
  const stream = await openAccepted(session, { kind: 'diagnostics' }, timeoutMs, signal);
  stream.end();
  const body = new ArchiveReader();
  // Either end of it destroys the other, with the same error.
  pipeline(stream, body, () => {});
  return { body, getOutcome: () => body.outcome };
}
