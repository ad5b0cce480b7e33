import { ForwardedStream, type FrpSession } from '@pult/frp';
import type {
  CloseReason,
  DeviceCapability,
  DeviceConnection,
  DiagnosticsStream,
  EndpointStream,
  OpenOptions,
  TelemetryStream,
} from '../../device-connection.ts';
import { type DeviceState, getPort, type TelemetryOffset } from '../../device-data.ts';
import { EndpointError } from '../../endpoint-error.ts';
import type { OpenBrokerTelemetry } from '../telemetry/broker-telemetry.ts';
import type { DescriptionTimes } from '../telemetry/description-times.ts';

const capabilities: ReadonlySet<DeviceCapability> = new Set(['state', 'diagnostics', 'telemetry']);

interface FrpConnectionOptions {
  /** Has the device's agent asked for an archive, which comes by another way than this one. */
  requestDiagnostics(signal: AbortSignal | undefined): Promise<DiagnosticsStream>;
  openBroker: OpenBrokerTelemetry;
  descriptions: DescriptionTimes;
  telemetryEveryMs: number;
}

/** Where the controllers have what is not named by its port. */
const ports: Readonly<Record<string, number>> = { http: 80, ssh: 22 };
const BROKER = 'port-1883';

/** A controller that is reached through its frpc. */
export class FrpConnection implements DeviceConnection {
  readonly capabilities = capabilities;
  readonly sendsDiagnosticsLater = true;
  readonly telemetryEveryMs: number;
  readonly #session: FrpSession;
  readonly #options: FrpConnectionOptions;

  constructor(session: FrpSession, options: FrpConnectionOptions) {
    this.#session = session;
    this.#options = options;
    this.telemetryEveryMs = options.telemetryEveryMs;
  }

  openDiagnostics({ signal }: { signal?: AbortSignal } = {}): Promise<DiagnosticsStream> {
    return this.#options.requestDiagnostics(signal);
  }

  /** By the controller's own broker: each reading is a numbering of its own. */
  async openTelemetry(
    { isLive = false }: TelemetryOffset,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<TelemetryStream> {
    const { openBroker, descriptions } = this.#options;
    const hasDescriptions = isLive || descriptions.isDue();
    const stream = openBroker({
      open: () => this.open(BROKER, { traffic: 'telemetry' }),
      isLive,
      hasDescriptions,
    });
    if (hasDescriptions) stream.once('end', () => descriptions.noteRead());
    const stop = () => stream.destroy();
    signal?.addEventListener('abort', stop, { once: true });
    stream.once('close', () => signal?.removeEventListener('abort', stop));
    return stream;
  }

  /** How its bytes are counted is said for whoever counts them. */
  open(endpoint: string, _options?: OpenOptions): EndpointStream {
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
