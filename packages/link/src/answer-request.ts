import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { formatOutcome, formatPiece } from './archive-frames.ts';
import { BlockPacker } from './compression/block-packer.ts';
import type { DeviceHandlers } from './device-handlers.ts';
import { joinStreams } from './join-streams.ts';
import { cleanReason, ServiceError } from './link-error.ts';
import { linkStateSchema } from './messages.ts';
import { MAX_JSON_BYTES } from './protocol.ts';
import { readPastWriteErrors } from './read-past-write-errors.ts';
import { readLineAndRest, readText } from './read-text.ts';
import { addTook, splitTraceParent } from './request-trace.ts';
import { type DeviceRequest, formatAnswer, formatPackedAnswer, parseRequest } from './requests.ts';
import type { SessionStream } from './session/session-stream.ts';
import type { TelemetryOffset } from './telemetry.ts';
import { updateOfferSchema } from './update-offer.ts';

const statuses: Partial<Record<string, number>> = {
  service_not_allowed: 403,
  service_refused: 502,
  service_timeout: 504,
  // Of no RFC, and used alike by others; a server that does not know them takes them for a 502.
  service_tls_old: 525,
  service_tls_failed: 526,
};

/** When a traced request came: its answer says how long it took. */
const tracedSince = new WeakMap<SessionStream, number>();

function formatTimed(stream: SessionStream, answer: string): string {
  const since = tracedSince.get(stream);
  if (since === undefined) return answer;
  return `${addTook(answer.trimEnd(), (performance.now() - since) * 1000)}\n`;
}

/** Answers one request of the cloud; whatever goes wrong ends this stream only. */
export function answerRequest(stream: SessionStream, line: string, handlers: DeviceHandlers): void {
  if (splitTraceParent(line).traceParent !== undefined) tracedSince.set(stream, performance.now());
  const request = parseRequest(line);
  if (!request) {
    refuse(stream, line.startsWith('CONNECT ') ? 403 : 404, 'unknown request');
    return;
  }
  answer(stream, request, handlers).catch((error: unknown) => {
    if (!stream.connecting) stream.destroy(error instanceof Error ? error : new Error('failed'));
    else if (error instanceof ServiceError)
      refuse(stream, statuses[error.code] ?? 502, error.reason ?? error.code);
    else refuse(stream, 500, error instanceof Error ? error.message : 'failed');
  });
}

async function answer(
  stream: SessionStream,
  request: DeviceRequest,
  handlers: DeviceHandlers,
): Promise<void> {
  switch (request.kind) {
    case 'service':
      return answerConnect(stream, request, handlers);
    case 'info':
      return answerInfo(stream, handlers);
    case 'state':
      return answerState(stream, handlers);
    case 'telemetry':
      return answerTelemetry(stream, request.since, handlers);
    case 'diagnostics':
      return answerDiagnostics(stream, handlers);
    case 'update':
      return answerUpdate(stream, handlers);
  }
}

/** Fires when the cloud has gone. */
function watchLeaving(stream: SessionStream): AbortSignal {
  const left = new AbortController();
  if (stream.destroyed) left.abort();
  else stream.once('close', () => left.abort());
  return left.signal;
}

function accept(stream: SessionStream, line = formatAnswer(200)): void {
  stream.write(formatTimed(stream, line));
  stream.connectNow();
}

async function answerConnect(
  stream: SessionStream,
  { name, mayPack }: DeviceRequest & { kind: 'service' },
  handlers: DeviceHandlers,
): Promise<void> {
  const upstream = await handlers.connectService(name, watchLeaving(stream));
  if (stream.destroyed) {
    upstream.destroy();
    return;
  }
  accept(stream, mayPack ? formatPackedAnswer() : undefined);
  readPastWriteErrors(upstream);
  joinStreams(stream, upstream, { back: mayPack ? createPacker(stream, handlers) : undefined });
}

function createPacker(stream: SessionStream, handlers: DeviceHandlers): BlockPacker {
  const packer = new BlockPacker({
    hasRoom: (bytes) => stream.hasRoom(bytes),
    get rate() {
      return stream.lineRate;
    },
    get isSaving() {
      return handlers.isSaving?.() ?? false;
    },
  });
  packer.on('error', (error) => stream.destroy(error));
  return packer;
}

async function answerInfo(stream: SessionStream, handlers: DeviceHandlers): Promise<void> {
  const info = JSON.stringify(await handlers.getInfo());
  if (stream.destroyed) return;
  stream.resume();
  accept(stream);
  stream.end(info);
}

async function answerState(stream: SessionStream, handlers: DeviceHandlers): Promise<void> {
  const state = linkStateSchema.safeParse(parseJson(await readAll(stream)));
  if (!state.success) {
    refuse(stream, 400, 'not a link state');
    return;
  }
  await handlers.putState(state.data);
  if (stream.destroyed) return;
  accept(stream);
  stream.end();
}

/** Reads to the end of what the cloud says, and leaves the way back open. */
async function readAll(stream: SessionStream): Promise<string | null> {
  const reading = stream.iterator({ destroyOnReturn: false });
  return readText(reading, MAX_JSON_BYTES);
}

/** Lines for as long as the cloud listens; a cloud that reads slowly holds the handler back. */
async function answerTelemetry(
  stream: SessionStream,
  since: TelemetryOffset,
  { readTelemetry }: DeviceHandlers,
): Promise<void> {
  if (!readTelemetry) {
    refuse(stream, 404, 'no telemetry');
    return;
  }
  const signal = watchLeaving(stream);
  stream.resume();
  accept(stream);
  for await (const lines of readTelemetry(since, signal)) {
    if (signal.aborted) return;
    if (!stream.write(lines)) await whenDrained(stream);
  }
  stream.end();
}

/**
 * The archive as it is collected, and after it its checksum or the reason of its failure. The answer goes out before the first
 * byte is there: a collector may be silent for minutes.
 */
async function answerDiagnostics(
  stream: SessionStream,
  { collectDiagnostics }: DeviceHandlers,
): Promise<void> {
  if (!collectDiagnostics) {
    refuse(stream, 404, 'no diagnostics');
    return;
  }
  const signal = watchLeaving(stream);
  stream.resume();
  const archive = await collectDiagnostics(signal);
  if (signal.aborted) return;
  accept(stream);
  const hash = createHash('sha256');
  try {
    for await (const chunk of archive) {
      if (signal.aborted) return;
      hash.update(chunk);
      if (chunk.length > 0 && !stream.write(formatPiece(chunk))) await whenDrained(stream);
    }
    stream.end(formatOutcome({ kind: 'whole', sha256: hash.digest('hex') }));
  } catch (error) {
    const reason = cleanReason(error instanceof Error ? error.message : 'failed');
    stream.end(formatOutcome({ kind: 'failed', reason }));
  }
}

/** The offer in a line, the answer to it, the file, and in a second answer what has become of it. */
async function answerUpdate(stream: SessionStream, { takeUpdate }: DeviceHandlers): Promise<void> {
  if (!takeUpdate) {
    refuse(stream, 404, 'no updates');
    return;
  }
  const body = await readLineAndRest(stream, MAX_JSON_BYTES);
  const offer = updateOfferSchema.safeParse(parseJson(body?.line ?? null));
  if (!body || !offer.success) {
    refuse(stream, 400, 'not an update');
    return;
  }
  const update = await takeUpdate(offer.data);
  if (stream.destroyed) return;
  accept(stream);
  try {
    await update.store(body.rest);
  } catch (error) {
    await body.stop();
    if (stream.destroyed) return;
    refuse(stream, 502, error instanceof Error ? error.message : 'failed');
    return;
  }
  // What says that it is stored is to arrive before the link ends.
  if (stream.destroyed) return update.start();
  stream.once('close', () => update.start());
  stream.end(formatAnswer(200));
}

/** Resolves once more may be written, or nothing ever again. */
async function whenDrained(stream: SessionStream): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]).catch(() => {});
  settled.abort();
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Says no, and why, in one line. */
function refuse(stream: SessionStream, status: number, reason: string): void {
  if (stream.destroyed) return;
  stream.resume();
  stream.end(formatTimed(stream, formatAnswer(status, cleanReason(reason))));
}
