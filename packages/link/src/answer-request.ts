import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { answerDiagnostics } from './answer-diagnostics.ts';
import { cutStream } from './cut-stream.ts';
import type { DeviceHandlers } from './device-handlers.ts';
import { DIAGNOSTICS_PATH } from './diagnostics.ts';
import { joinStreams } from './join-streams.ts';
import { ServiceError } from './link-error.ts';
import { linkStateSchema } from './messages.ts';
import { INFO_PATH, MAX_JSON_BYTES, STATE_PATH } from './protocol.ts';
import { readBody } from './read-body.ts';
import { isServiceName } from './service-name.ts';
import { ServiceStream, type StreamOwner } from './service-stream.ts';
import { parseTelemetryPath, type TelemetryOffset } from './telemetry.ts';
import { whenDrained } from './when-drained.ts';

const statuses: Partial<Record<string, number>> = {
  service_not_allowed: 403,
  service_refused: 502,
  service_timeout: 504,
};

/** Answers one request of the cloud; whatever goes wrong ends this stream only. */
export function answerRequest(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  handlers: DeviceHandlers,
  owner: StreamOwner,
): void {
  // The stream's end is what matters, and 'close' always tells it.
  stream.on('error', () => {});
  const route = `${headers[':method']} ${headers[':path'] ?? ''}`.trim();
  const since = route.startsWith('GET ') ? parseTelemetryPath(route.slice(4)) : null;
  let work: Promise<void>;
  if (route === 'CONNECT') work = answerConnect(stream, headers[':authority'], handlers, owner);
  else if (route === `GET ${INFO_PATH}`) work = answerInfo(stream, handlers);
  else if (route === `PUT ${STATE_PATH}`) work = answerState(stream, handlers, owner);
  else if (since && handlers.readTelemetry) work = answerTelemetry(stream, since, handlers.readTelemetry);
  else if (route === `POST ${DIAGNOSTICS_PATH}` && handlers.collectDiagnostics)
    work = answerDiagnostics(stream, handlers.collectDiagnostics);
  else work = Promise.resolve(refuse(stream, 404, 'unknown request'));
  work.catch((error: unknown) => {
    if (stream.headersSent) cutStream(stream);
    else if (error instanceof ServiceError)
      refuse(stream, statuses[error.code] ?? 502, error.reason ?? error.code);
    else refuse(stream, 500, error instanceof Error ? error.message : 'failed');
  });
}

async function answerConnect(
  stream: ServerHttp2Stream,
  authority: string | string[] | undefined,
  handlers: DeviceHandlers,
  owner: StreamOwner,
): Promise<void> {
  if (typeof authority !== 'string' || !isServiceName(authority)) {
    refuse(stream, 403, 'no such service');
    return;
  }
  const gaveUp = new AbortController();
  const onClose = () => gaveUp.abort();
  stream.once('close', onClose);
  const upstream = await handlers.connectService(authority, gaveUp.signal);
  stream.off('close', onClose);
  if (stream.destroyed || stream.closed) {
    upstream.destroy();
    return;
  }
  stream.respond({ ':status': 200 });
  const service = new ServiceStream(owner);
  service.attach(stream);
  joinStreams(service, upstream);
}

async function answerInfo(stream: ServerHttp2Stream, handlers: DeviceHandlers): Promise<void> {
  const info = JSON.stringify(await handlers.getInfo());
  if (stream.destroyed) return;
  stream.resume();
  stream.respond({ ':status': 200, 'content-type': 'application/json' });
  stream.end(info);
}

/** Lines for as long as the cloud listens; a cloud that reads slowly holds the handler back. */
async function answerTelemetry(
  stream: ServerHttp2Stream,
  since: TelemetryOffset,
  readTelemetry: NonNullable<DeviceHandlers['readTelemetry']>,
): Promise<void> {
  const left = new AbortController();
  stream.once('close', () => left.abort());
  if (stream.destroyed) return;
  stream.resume();
  stream.respond({ ':status': 200, 'content-type': 'application/x-ndjson' });
  for await (const lines of readTelemetry(since, left.signal)) {
    if (left.signal.aborted) return;
    if (!stream.write(lines)) await whenDrained(stream);
  }
  stream.end();
}

async function answerState(
  stream: ServerHttp2Stream,
  handlers: DeviceHandlers,
  owner: StreamOwner,
): Promise<void> {
  const state = linkStateSchema.safeParse(
    parseJson(await readBody(stream, MAX_JSON_BYTES, owner.describeCut)),
  );
  if (!state.success) {
    refuse(stream, 400, 'not a link state');
    return;
  }
  await handlers.putState(state.data);
  if (stream.destroyed) return;
  stream.respond({ ':status': 204 }, { endStream: true });
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

function refuse(stream: ServerHttp2Stream, status: number, reason: string): void {
  if (stream.destroyed || stream.closed) return;
  stream.resume();
  stream.respond({ ':status': status, 'content-type': 'text/plain; charset=utf-8' });
  stream.end(reason);
}
