import type { Duplex } from 'node:stream';
import type { DeviceInfo, LinkState } from './messages.ts';
import type { ServiceName } from './service-name.ts';
import type { Goodbye } from './session/frames.ts';
import type { TelemetryOffset } from './telemetry.ts';
import type { UpdateOffer } from './update-offer.ts';

/** An update whose file is wanted. */
export interface TakenUpdate {
  /** Keeps the file. Rejects with the reason when it is not the one that was signed, or there is no room for it. */
  store(file: AsyncIterable<Uint8Array>): Promise<void>;
  /** The server knows that it is stored, or has gone: it may be started. */
  start(): void;
}

/** What an agent provides to the cloud over its link. */
export interface DeviceHandlers {
  /**
   * Connects a local service. Rejects with `ServiceError`: `service_not_allowed`, `service_refused`,
   * `service_tls_old`, `service_tls_failed` or `service_timeout`; its reason is told to the cloud. The signal fires when the cloud gave up.
   */
  connectService(name: ServiceName, signal: AbortSignal): Promise<Duplex>;
  getInfo(): DeviceInfo | Promise<DeviceInfo>;
  putState(state: LinkState): void | Promise<void>;
  /**
   * Telemetry after that offset as a `TelemetryEncoder` writes it, endless, in parts of any length; it ends when the
   * signal fires. An agent without it has none to tell.
   */
  readTelemetry?(since: TelemetryOffset, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * An archive of what helps to find a fault, as it is collected: anything thrown on the way is told to the cloud as the
   * reason. Rejects with `ServiceError` when it cannot be begun. An agent without it has no diagnostics.
   */
  collectDiagnostics?(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Looks at an update that the server offers. Rejects with `ServiceError` where it is not taken: then its file does not
   * come. An agent without it cannot be updated.
   */
  takeUpdate?(offer: UpdateOffer): Promise<TakenUpdate>;
  /** Whether bytes are dearer than time: then all that may be compressed is. */
  isSaving?(): boolean;
  /** The server wants the agent to leave and come back within `graceMs`. */
  onGoAway?(goodbye: Goodbye): void;
}
