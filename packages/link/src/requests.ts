import { splitTook, splitTraceParent } from './request-trace.ts';
import { isServiceName, type ServiceName } from './service-name.ts';
import { type Priority, priorities } from './session/stream-route.ts';
import {
  formatTelemetryPath,
  parseTelemetryPath,
  TELEMETRY_PATH,
  type TelemetryOffset,
} from './telemetry.ts';

/**
 * What the cloud asks of a device: the line that a stream begins with. `mayPack`: what the service says may come in blocks
 * (compression/blocks.ts).
 */
export type DeviceRequest =
  | { kind: 'service'; name: ServiceName; mayPack?: boolean }
  | { kind: 'info' }
  | { kind: 'state' }
  | { kind: 'telemetry'; since: TelemetryOffset }
  | { kind: 'diagnostics' }
  | { kind: 'update' };

const INFO_LINE = 'GET /v1/info';
const STATE_LINE = 'PUT /v1/state';
const DIAGNOSTICS_LINE = 'POST /v1/diagnostics';
const UPDATE_LINE = 'POST /v1/update';
/** Behind a CONNECT that blocks may come, behind its answer that they will. */
const PACKED = 'deflate';

export function formatRequest(request: DeviceRequest): string {
  switch (request.kind) {
    case 'service':
      return request.mayPack ? `CONNECT ${request.name} ${PACKED}` : `CONNECT ${request.name}`;
    case 'info':
      return INFO_LINE;
    case 'state':
      return STATE_LINE;
    case 'telemetry':
      return `GET ${formatTelemetryPath(request.since)}`;
    case 'diagnostics':
      return DIAGNOSTICS_LINE;
    case 'update':
      return UPDATE_LINE;
  }
}

/** By its kind alone: which port, or from where telemetry goes on, is not in it. */
export function getRequestName(request: DeviceRequest): string {
  switch (request.kind) {
    case 'service':
      return `CONNECT ${request.name.replace(/-.*/, '')}`;
    case 'telemetry':
      return `GET ${TELEMETRY_PATH}`;
    default:
      return formatRequest(request);
  }
}

/** Null for what this version does not know. With or without the context of a trace. */
export function parseRequest(whole: string): DeviceRequest | null {
  const { line } = splitTraceParent(whole);
  if (line === INFO_LINE) return { kind: 'info' };
  if (line === STATE_LINE) return { kind: 'state' };
  if (line === DIAGNOSTICS_LINE) return { kind: 'diagnostics' };
  if (line === UPDATE_LINE) return { kind: 'update' };
  if (line.startsWith('CONNECT ')) return parseConnect(line);
  const since = line.startsWith('GET ') ? parseTelemetryPath(line.slice(4)) : null;
  return since && { kind: 'telemetry', since };
}

function parseConnect(line: string): DeviceRequest | null {
  const [, name = '', packed] = /^CONNECT (\S+)(?: (\S+))?$/.exec(line) ?? [];
  if (!isServiceName(name)) return null;
  if (packed === undefined) return { kind: 'service', name };
  return packed === PACKED && mayPack(name) ? { kind: 'service', name, mayPack: true } : null;
}

/** A shell's bytes tell by their lengths what is typed, and are compressed by SSH itself where somebody likes. */
export function mayPack(name: ServiceName): boolean {
  return name !== 'ssh';
}

/** What goes first where not all can go at once; both ends say the same. */
export function getPriority(request: DeviceRequest | null): Priority {
  switch (request?.kind) {
    case 'service':
      return request.name === 'ssh' ? priorities.shell : priorities.page;
    case 'telemetry':
      return priorities.telemetry;
    case 'diagnostics':
    case 'update':
      return priorities.bulk;
    default:
      return priorities.page;
  }
}

/** The first line of an answer that is followed by blocks. */
export function formatPackedAnswer(): string {
  return formatAnswer(200, PACKED);
}

export function isPackedAnswer(answer: { status: number; reason: string }): boolean {
  return answer.status === 200 && answer.reason === PACKED;
}

/** The first line of an answer: 200, or a status of HTTP's meaning and the reason of a refusal. */
export function formatAnswer(status: number, reason?: string): string {
  return reason ? `${status} ${reason}\n` : `${status}\n`;
}

export function parseAnswer(
  line: string,
): { status: number; reason: string; tookMicros?: number | undefined } | null {
  const { text, tookMicros } = splitTook(line);
  const [, digits, reason = ''] = /^([2-5][0-9]{2})(?: (.*))?$/su.exec(text) ?? [];
  return digits ? { status: Number(digits), reason, tookMicros } : null;
}
