import { once } from 'node:events';
import { connect } from 'node:http2';
import type { Duplex, Readable } from 'node:stream';
import type { DiagnosticsStream } from './diagnostics.ts';
import { exchangeJson } from './exchange.ts';
import { cloudWindows, getSessionOptions } from './http2-options.ts';
import { type LinkCloseReason, ServiceError } from './link-error.ts';
import { holdLinkSession } from './link-session.ts';
import type { LivenessOptions } from './liveness.ts';
import { type DeviceInfo, deviceInfoSchema, type LinkState } from './messages.ts';
import { openDiagnosticsStream } from './open-diagnostics.ts';
import { openServiceStream, openTelemetryStream } from './open-service.ts';
import { INFO_PATH, STATE_PATH } from './protocol.ts';
import { isServiceName } from './service-name.ts';
import { ServiceStream } from './service-stream.ts';
import { formatTelemetryPath, type TelemetryOffset } from './telemetry.ts';

export interface CloudLinkOptions extends LivenessOptions {
  /** Time a device gets to connect a service; above the device's own 10 s, so that its reason arrives. */
  serviceTimeoutMs?: number;
  /** Time a device gets to answer getInfo and putState. */
  answerTimeoutMs?: number;
}

/** The cloud's end of a link. It owns the socket and closes it. */
export interface CloudLink {
  /**
   * Bytes to and from `http`, `ssh` or `port-<n>` of the device, at once; it emits `connect` when the device has
   * connected. Each direction ends on its own; a refusal, or a cut in the middle, is an error of the stream
   * (`ServiceError`). The caller ends or destroys it.
   */
  open(name: string): ServiceStream;
  /** The same once the device has connected. Rejects with `ServiceError`, or with the signal's reason. */
  openService(name: string, options?: { signal?: AbortSignal }): Promise<Duplex>;
  /** Rejects with `ServiceError`; a device that answers nonsense is cut with reason `protocol`. */
  getInfo(): Promise<DeviceInfo>;
  /** Rejects with `ServiceError`. */
  putState(state: LinkState): Promise<void>;
  /**
   * Bytes of the device's telemetry after that offset, endless. A cut is an error of the stream. The caller destroys
   * it. Rejects with `ServiceError`: `service_unknown` by an agent that has none.
   */
  openTelemetry(since: TelemetryOffset, options?: { signal?: AbortSignal }): Promise<Readable>;
  /**
   * Has the device collect diagnostics. Rejects with `ServiceError`: `service_unknown` by an agent that has none,
   * `service_refused` by one that cannot now.
   */
  openDiagnostics(options?: { signal?: AbortSignal }): Promise<DiagnosticsStream>;
  /** Asks the device to leave and to come back within `graceMs` (10 s); what is open may finish. */
  goAway(graceMs?: number): void;
  /** Cuts what is open and closes. */
  close(reason: LinkCloseReason): void;
  readonly closed: Promise<LinkCloseReason>;
  /** Bytes received and sent on the socket so far. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Speaks HTTP/2 as the client over a connection the device has opened. Never throws. */
export function openCloudLink(socket: Duplex, options: CloudLinkOptions = {}): CloudLink {
  const { serviceTimeoutMs = 12_000, answerTimeoutMs = 10_000 } = options;
  const session = connect('http://device', {
    ...getSessionOptions(cloudWindows, {}),
    createConnection: () => socket,
  });
  session.once('connect', () => {
    if (!session.destroyed) session.setLocalWindowSize(cloudWindows.connectionBytes);
  });
  const link = holdLinkSession(session, socket, { ...options, endsFloods: true });

  function open(name: string): ServiceStream {
    if (isServiceName(name)) return openServiceStream(session, link, name, serviceTimeoutMs);
    const refused = new ServiceStream(link);
    return refused.destroy(new ServiceError('service_not_allowed', `no such service: ${name}`));
  }

  return {
    open,
    async openService(name, { signal } = {}) {
      signal?.throwIfAborted();
      const stream = open(name);
      const onAbort = () => stream.destroy(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        // An error rejects it, with the error itself.
        await once(stream, 'connect');
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
      return stream;
    },
    async getInfo() {
      const answer = await exchangeJson(session, link, { method: 'GET', path: INFO_PATH }, answerTimeoutMs);
      const info = deviceInfoSchema.safeParse(answer);
      if (info.success) return info.data;
      link.close('protocol');
      const issue = info.error.issues[0];
      throw new ServiceError('bad_answer', `device info: ${issue?.path.join('.')} ${issue?.message}`);
    },
    async putState(state) {
      await exchangeJson(session, link, { method: 'PUT', path: STATE_PATH, body: state }, answerTimeoutMs);
    },
    async openTelemetry(since, { signal } = {}) {
      signal?.throwIfAborted();
      return openTelemetryStream(session, link, formatTelemetryPath(since), answerTimeoutMs, signal);
    },
    async openDiagnostics({ signal } = {}) {
      signal?.throwIfAborted();
      return openDiagnosticsStream(session, link, answerTimeoutMs, signal);
    },
    goAway: (graceMs = 10_000) => link.sayGoodbye({ reason: 'shutdown', graceMs }),
    close: link.close,
    closed: link.closed,
    get bytesIn() {
      return link.getBytesIn();
    },
    get bytesOut() {
      return link.getBytesOut();
    },
  };
}
