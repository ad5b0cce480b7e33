import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { DeviceHandlers } from './device-handlers.ts';
import { FAILURE_TRAILER, SHA256_TRAILER } from './diagnostics.ts';
import { cleanReason } from './link-error.ts';
import { whenDrained } from './when-drained.ts';

/**
 * The archive as it is collected, its checksum or the reason of its failure in the trailers. The head goes out before the
 * first byte is there: a collector may be silent for minutes.
 */
export async function answerDiagnostics(
  stream: ServerHttp2Stream,
  collect: NonNullable<DeviceHandlers['collectDiagnostics']>,
): Promise<void> {
  const left = new AbortController();
  stream.once('close', () => left.abort());
  if (stream.destroyed) return;
  stream.resume();
  const archive = await collect(left.signal);
  if (stream.destroyed) return;
  let trailers: OutgoingHttpHeaders = {};
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.respond({ ':status': 200, 'content-type': 'application/octet-stream' }, { waitForTrailers: true });
  const hash = createHash('sha256');
  try {
    for await (const chunk of archive) {
      if (left.signal.aborted) return;
      hash.update(chunk);
      if (!stream.write(chunk)) await whenDrained(stream);
    }
    trailers = { [SHA256_TRAILER]: hash.digest('hex') };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'failed';
    trailers = { [FAILURE_TRAILER]: encodeURIComponent(cleanReason(reason)) };
  }
  if (!stream.destroyed) stream.end();
}
