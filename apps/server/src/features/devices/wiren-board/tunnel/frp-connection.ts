import type {
  CloseReason,
  DeviceCapability,
  DeviceConnection,
  DiagnosticsStream,
  EndpointStream,
} from '../../device-connection.ts';
import { type DeviceState, getPort } from '../../device-data.ts';
import { EndpointError } from '../../endpoint-error.ts';
import { ForwardedStream } from '../frp/forwarded-stream.ts';
import type { FrpSession } from '../frp/session.ts';

const capabilities: ReadonlySet<DeviceCapability> = new Set(['state', 'diagnostics']);
type RequestDiagnostics = (signal: AbortSignal | undefined) => Promise<DiagnosticsStream>;

/** Where the controllers have what is not named by its port. */
const ports: Readonly<Record<string, number>> = { http: 80, ssh: 22 };

/** A controller that is reached through its frpc. */
export class FrpConnection implements DeviceConnection {
  readonly capabilities = capabilities;
  readonly #session: FrpSession;
  readonly #requestDiagnostics: RequestDiagnostics;

  /** `requestDiagnostics` has the device's agent asked for an archive, which comes by another way than this one. */
  constructor(session: FrpSession, requestDiagnostics: RequestDiagnostics) {
    this.#session = session;
    this.#requestDiagnostics = requestDiagnostics;
  }

  openDiagnostics({ signal }: { signal?: AbortSignal } = {}): Promise<DiagnosticsStream> {
    return this.#requestDiagnostics(signal);
  }

  open(endpoint: string): EndpointStream {
    const port = ports[endpoint] ?? getPort(endpoint);
    if (port !== null) return this.#session.open(port);
    return new ForwardedStream(0, 0).destroy(
      new EndpointError('service_not_allowed', `no such service: ${endpoint}`),
    );
  }

  /** Its agent is told by another way; but nobody's controller has no tunnel. */
  async putState({ activated }: DeviceState): Promise<void> {
    if (!activated) this.close('revoked');
  }

  /** frpc cannot be asked to leave: it comes back by itself, within seconds. */
  drain(): void {}

  close(reason: CloseReason): void {
    this.#session.close(reason);
  }

  get closed(): Promise<CloseReason> {
    return this.#session.closed;
  }
  get bytesIn(): number {
    return this.#session.bytesIn;
  }
  get bytesOut(): number {
    return this.#session.bytesOut;
  }
}
