import type { Duplex, Readable } from 'node:stream';
import type { DeviceInfo, DeviceState, TelemetryOffset, UpdateOffer } from './device-data.ts';

/** What a connection can give besides bytes to its endpoints; the rest of the server asks only for what is here. */
export const deviceCapabilities = ['telemetry', 'diagnostics', 'info', 'state', 'updates'] as const;
export type DeviceCapability = (typeof deviceCapabilities)[number];

/**
 * Why a connection ended. `transport`: it broke or was closed without a word. `protocol`: the device sent what no honest
 * one sends. `flood`: more of it than any honest one sends. `memory`: it took nothing of
 * what is kept for it, and others had no room. `shutdown`: one end said goodbye.
 */
export const closeReasons = [
  'replaced',
  'ping_timeout',
  'transport',
  'shutdown',
  'protocol',
  'flood',
  'memory',
  'revoked',
] as const;
export type CloseReason = (typeof closeReasons)[number];

/**
 * A stream to an endpoint, with the manners of a TCP socket: it emits `connect` once the device has connected. Node's HTTP
 * client calls the methods on every socket it keeps, and ends the process where one is missing; they may do nothing.
 */
export interface EndpointStream extends Duplex {
  readonly connecting: boolean;
  /** What has come and waits to be read, in bytes, where more of it waits than in the stream itself. */
  readonly unreadBytes?: number;
  /** What the connection carries in its place, where that is something else: compressed bytes. */
  readonly below?: Duplex;
  setNoDelay(): unknown;
  setKeepAlive(): unknown;
  setTimeout(milliseconds: number): unknown;
  ref(): unknown;
  unref(): unknown;
}

/** What a device has said of an archive after its last byte. */
export type DiagnosticsOutcome =
  | { kind: 'whole'; sha256: string }
  | { kind: 'failed'; reason: string }
  | { kind: 'unknown' };

/** Bytes of an archive as they are collected, and after them what they come to. */
export interface DiagnosticsStream {
  /** A cut is its error. Whoever reads it destroys it. */
  readonly body: Readable;
  /** True as soon as the body has ended. */
  getOutcome(): DiagnosticsOutcome;
}

export interface OpenOptions {
  mayPack?: boolean;
  /** What its bytes are counted as, where the endpoint does not say it. */
  traffic?: 'telemetry';
}

/** Telemetry as a `TelemetryEncoder` writes it. */
export interface TelemetryStream extends Readable {
  /** It came as other bytes, by a stream of `open` that has counted them. */
  readonly isCounted?: true;
}

interface Abortable {
  signal?: AbortSignal;
}

/**
 * A device that is reached now, by whatever kind of connection. What a kind does not have stands in no `capabilities`
 * and is undefined. Errors of streams and calls are `EndpointError`s.
 */
export interface DeviceConnection {
  readonly capabilities: ReadonlySet<DeviceCapability>;
  /**
   * Bytes to and from `http`, `ssh` or `port-<n>` of the device, at once. Each direction ends on its own; a refusal, or
   * a cut in the middle, is an error of the stream. The caller ends or destroys it. With `mayPack` the device may compress
   * what it says; never `ssh`, and no connection that both sides talk over at once.
   */
  open(endpoint: string, options?: OpenOptions): EndpointStream;
  /**
   * Telemetry after that position (device-data.ts). A cut is an error. It does not end but where the device starts over, or
   * where it has to be asked again. The caller destroys it.
   */
  openTelemetry?(since: TelemetryOffset, options?: Abortable): Promise<TelemetryStream>;
  /** Set where the device is asked for its telemetry again after so many milliseconds while nobody looks. */
  readonly telemetryEveryMs?: number;
  /** Has the device collect diagnostics. */
  openDiagnostics?(options?: Abortable): Promise<DiagnosticsStream>;
  /** Set where it is only asked to, and sends the archive by itself, minutes later. */
  readonly sendsDiagnosticsLater?: true;
  /** A device that answers nonsense is cut with reason `protocol`. */
  getInfo?(): Promise<DeviceInfo>;
  /** Tells the device whether it is claimed, and by which link it can be. */
  putState?(state: DeviceState): Promise<void>;
  /**
   * Has the agent take another version of itself; resolves once it is stored there and about to start. The error
   * `service_refused` has the agent's reason.
   */
  sendUpdate?(offer: UpdateOffer, file: Buffer, options?: Abortable): Promise<void>;
  /** Asks the device to leave and to come back within `graceMs`; what is open may finish. */
  drain(graceMs: number): void;
  /** Cuts what is open and closes. */
  close(reason: CloseReason): void;
  readonly closed: Promise<CloseReason>;
  /** True while it is cut and the device may come back to it: what is open waits, and nothing new is opened. */
  readonly isWaiting?: boolean;
  /** How long it waits after a cut before it ends, in milliseconds. */
  readonly resumeMs?: number;
  /** Tells whenever `isWaiting` changes; one listener at a time. */
  onWaiting?(listener: () => void): void;
  /** Bytes received and sent so far. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}
