import { isServiceName, type ServiceName } from './service-name.ts';
import { type Priority, priorities } from './session/priorities.ts';
import { formatTelemetryPath, parseTelemetryPath, type TelemetryOffset } from './telemetry.ts';

/** What the cloud asks of a device: the line that a stream begins with. */
export type DeviceRequest =
  | { kind: 'service'; name: ServiceName }
  | { kind: 'info' }
  | { kind: 'state' }
  | { kind: 'telemetry'; since: TelemetryOffset }
  | { kind: 'diagnostics' };

const INFO_LINE = 'GET /v1/info';
const STATE_LINE = 'PUT /v1/state';
const DIAGNOSTICS_LINE = 'POST /v1/diagnostics';

export function formatRequest(request: DeviceRequest): string {
  switch (request.kind) {
    case 'service':
      return `CONNECT ${request.name}`;
    case 'info':
      return INFO_LINE;
    case 'state':
      return STATE_LINE;
    case 'telemetry':
      return `GET ${formatTelemetryPath(request.since)}`;
    case 'diagnostics':
      return DIAGNOSTICS_LINE;
  }
}

/** Null for what this version does not know. */
export function parseRequest(line: string): DeviceRequest | null {
  if (line === INFO_LINE) return { kind: 'info' };
  if (line === STATE_LINE) return { kind: 'state' };
  if (line === DIAGNOSTICS_LINE) return { kind: 'diagnostics' };
  const [, name] = /^CONNECT (\S+)$/.exec(line) ?? [];
  if (name !== undefined && isServiceName(name)) return { kind: 'service', name };
  const since = line.startsWith('GET ') ? parseTelemetryPath(line.slice(4)) : null;
  return since && { kind: 'telemetry', since };
}

/** What goes first where not all can go at once; both ends say the same. */
export function getPriority(request: DeviceRequest | null): Priority {
  switch (request?.kind) {
    case 'service':
      return request.name === 'ssh' ? priorities.shell : priorities.page;
    case 'telemetry':
      return priorities.telemetry;
    case 'diagnostics':
      return priorities.bulk;
    default:
      return priorities.page;
  }
}

/** The first line of an answer: 200, or a status of HTTP's meaning and the reason of a refusal. */
export function formatAnswer(status: number, reason?: string): string {
  return reason ? `${status} ${reason}\n` : `${status}\n`;
}

export function parseAnswer(line: string): { status: number; reason: string } | null {
  const [, digits, reason = ''] = /^([2-5][0-9]{2})(?: (.*))?$/su.exec(line) ?? [];
  return digits ? { status: Number(digits), reason } : null;
}
