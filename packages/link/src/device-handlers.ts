import type { Duplex } from 'node:stream';
import type { Goodbye } from './link-session.ts';
import type { DeviceInfo, LinkState } from './messages.ts';
import type { ServiceName } from './service-name.ts';

/** What an agent provides to the cloud over its link. */
export interface DeviceHandlers {
  /**
   * Connects a local service. Rejects with `ServiceError`: `service_not_allowed`, `service_refused` or
   * `service_timeout`; its reason is told to the cloud. The signal fires when the cloud gave up.
   */
  connectService(name: ServiceName, signal: AbortSignal): Promise<Duplex>;
  getInfo(): DeviceInfo | Promise<DeviceInfo>;
  putState(state: LinkState): void | Promise<void>;
  /** The server wants the agent to leave and come back within `graceMs`. */
  onGoAway?(goodbye: Goodbye): void;
}
