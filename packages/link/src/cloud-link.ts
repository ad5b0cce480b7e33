import { type Duplex, pipeline, type Readable } from 'node:stream';
import { ArchiveReader, type ArchiveStream } from './archive-frames.ts';
import { exchangeJson } from './exchange.ts';
import { type LinkCloseReason, ServiceError } from './link-error.ts';
import { type DeviceInfo, deviceInfoSchema, type LinkState } from './messages.ts';
import { openAccepted, openStream, openUnpacked } from './open-stream.ts';
import type { TraceRequest } from './request-trace.ts';
import { mayPack } from './requests.ts';
import { sendUpdate } from './send-update.ts';
import { isServiceName } from './service-name.ts';
import type { LivenessOptions } from './session/liveness.ts';
import { Session } from './session/session.ts';
import type { SharedMemory } from './session/shared-memory.ts';
import type { SocketLike } from './session/socket-like.ts';
import { countSmallPieces } from './small-pieces.ts';
import type { TelemetryOffset } from './telemetry.ts';
import type { UpdateOffer } from './update-offer.ts';

export interface CloudLinkOptions extends LivenessOptions {
  /** Time a device gets to connect a service; above the device's own 10 s, so that its reason arrives. */
  serviceTimeoutMs?: number;
  /** Time a device gets to answer getInfo and putState. */
  answerTimeoutMs?: number;
  /** How long it waits for another connection of a device that can go on with it; not at all unless told. */
  resumeMs?: number;
  /** Told of each request to the device before it is sent. */
  traceRequest?: TraceRequest | undefined;
  /** The agent takes requests with the context of a trace: what stood in `ACCEPTS_HEADER`. */
  takesTraces?: boolean;
  /** Memory that all links of a server share. */
  memory?: SharedMemory;
}

/** Bytes to and from a service, with the manners of a socket. */
export interface ServiceStream extends SocketLike {
  readonly connecting: boolean;
  /** What has come and waits to be read, in bytes of memory. */
  readonly unreadBytes: number;
  /** What goes over the link in its place, where that is something else. */
  readonly below?: Duplex;
}

/** The cloud's end of a link. It owns its connections and closes them. */
export interface CloudLink {
  /**
   * Bytes to and from `http`, `ssh` or `port-<n>` of the device, at once; it emits `connect` when the device has
   * connected. Each direction ends on its own; a refusal, or a cut in the middle, is an error of the stream
   * (`ServiceError`). The caller ends or destroys it. With `mayPack` the device may compress what `http` or a port says
   * where its line is slow: not for what somebody types, nor for what goes both ways at once.
   */
  open(name: string, options?: { mayPack?: boolean }): ServiceStream;
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
  openDiagnostics(options?: { signal?: AbortSignal }): Promise<ArchiveStream>;
  /**
   * Has the agent take another version of itself, and resolves once it is stored there and about to start. Rejects with
   * `ServiceError`: `service_unknown` by an agent that cannot be updated, `service_refused` with its reason.
   */
  sendUpdate(offer: UpdateOffer, file: Buffer, options?: { signal?: AbortSignal }): Promise<void>;
  /** Goes on over this connection, whose other end knows the link: what is open goes on where it was. */
  resume(socket: Duplex, number?: number): void;
  /** Has a second connection, which the device has dialled for bulk. `number` grows with each connection. */
  addBulk(socket: Duplex, number?: number): void;
  /** True while its connection is lost and another may come. */
  readonly isWaiting: boolean;
  /** Called whenever `isWaiting` changes. */
  onWaiting(listener: (isWaiting: boolean) => void): void;
  /** Asks the device to leave and to come back within `graceMs` (10 s); what is open may finish. */
  goAway(graceMs?: number): void;
  /** Cuts what is open and closes. */
  close(reason: LinkCloseReason): void;
  readonly closed: Promise<LinkCloseReason>;
  /** Bytes received and sent on its connections so far. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Asks a device over a connection it has opened. Never throws. */
export function openCloudLink(socket: Duplex, options: CloudLinkOptions = {}): CloudLink {
  return new SessionLink(socket, options);
}

function refuseName(name: string): ServiceError {
  return new ServiceError('service_not_allowed', `no such service: ${name}`);
}

/** A class: an object with functions of its own for each of many thousand links took as much memory as their sessions. */
class SessionLink implements CloudLink {
  readonly #session: Session;
  readonly #serviceTimeoutMs: number;
  readonly #answerTimeoutMs: number;
  #waitingListener: ((isWaiting: boolean) => void) | undefined;
  /** From the first stream on that may bring blocks. */
  #countBlock: ((bytes: number) => void) | undefined;

  constructor(socket: Duplex, options: CloudLinkOptions) {
    this.#serviceTimeoutMs = options.serviceTimeoutMs ?? 12_000;
    this.#answerTimeoutMs = options.answerTimeoutMs ?? 10_000;
    this.#session = new Session({
      ...options,
      endsFloods: true,
      onWaiting: (isWaiting) => this.#waitingListener?.(isWaiting),
    });
    this.#session.attach(socket, false);
  }

  open(name: string, options?: { mayPack?: boolean }): ServiceStream {
    const session = this.#session;
    if (!isServiceName(name)) return session.refuse(refuseName(name));
    if (!options?.mayPack || !mayPack(name))
      return openStream(session, { kind: 'service', name }, this.#serviceTimeoutMs);
    this.#countBlock ??= countSmallPieces(() => session.close('flood'));
    const request = { kind: 'service', name, mayPack: true } as const;
    return openUnpacked(session, request, this.#serviceTimeoutMs, this.#countBlock);
  }

  async openService(name: string, { signal }: { signal?: AbortSignal } = {}): Promise<Duplex> {
    if (!isServiceName(name)) throw refuseName(name);
    return openAccepted(this.#session, { kind: 'service', name }, this.#serviceTimeoutMs, signal);
  }

  async getInfo(): Promise<DeviceInfo> {
    const answer = await exchangeJson(this.#session, 'info', undefined, this.#answerTimeoutMs);
    const info = deviceInfoSchema.safeParse(answer);
    if (info.success) return info.data;
    this.#session.close('protocol');
    const issue = info.error.issues[0];
    throw new ServiceError('bad_answer', `device info: ${issue?.path.join('.')} ${issue?.message}`);
  }

  async putState(state: LinkState): Promise<void> {
    await exchangeJson(this.#session, 'state', state, this.#answerTimeoutMs);
  }

  async openTelemetry(since: TelemetryOffset, { signal }: { signal?: AbortSignal } = {}): Promise<Readable> {
    const request = { kind: 'telemetry', since } as const;
    const stream = await openAccepted(this.#session, request, this.#answerTimeoutMs, signal);
    return stream.end();
  }

  openDiagnostics({ signal }: { signal?: AbortSignal } = {}): Promise<ArchiveStream> {
    return openDiagnosticsStream(this.#session, this.#answerTimeoutMs, signal);
  }

  sendUpdate(offer: UpdateOffer, file: Buffer, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    return sendUpdate(this.#session, { offer, file, timeoutMs: this.#answerTimeoutMs, signal });
  }

  resume(socket: Duplex, number?: number): void {
    this.#session.attach(socket, true, number);
  }

  addBulk(socket: Duplex, number?: number): void {
    this.#session.addBulk(socket, number);
  }

  get isWaiting(): boolean {
    return this.#session.isWaiting;
  }

  onWaiting(listener: (isWaiting: boolean) => void): void {
    this.#waitingListener = listener;
  }

  goAway(graceMs = 10_000): void {
    this.#session.sayGoodbye({ reason: 'shutdown', graceMs });
  }

  close(reason: LinkCloseReason): void {
    this.#session.close(reason);
  }

  get closed(): Promise<LinkCloseReason> {
    return this.#session.closed;
  }

  get bytesIn(): number {
    return this.#session.bytesIn;
  }

  get bytesOut(): number {
    return this.#session.bytesOut;
  }
}

/** Sends the request for diagnostics and waits until the device collects. */
async function openDiagnosticsStream(
  session: Session,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ArchiveStream> {
  const stream = await openAccepted(session, { kind: 'diagnostics' }, timeoutMs, signal);
  stream.end();
  const body = new ArchiveReader();
  // Either end of it destroys the other, with the same error.
  pipeline(stream, body, () => {});
  return { body, getOutcome: () => body.outcome };
}
