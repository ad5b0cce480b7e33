import type { Duplex } from 'node:stream';
import { answerRequest } from './answer-request.ts';
import type { DeviceHandlers } from './device-handlers.ts';
import type { LinkCloseReason } from './link-error.ts';
import { getPriority, parseRequest } from './requests.ts';
import type { LivenessOptions } from './session/liveness.ts';
import { Session } from './session/session.ts';

/** Before the cloud would ask: one of the two has to, and of one device the server has many thousands. */
const PING_INTERVAL_MS = 39_000;

export interface DeviceLinkOptions extends LivenessOptions {
  /** How long it waits for another connection when one is lost; not at all unless told. */
  resumeMs?: number;
  /**
   * Another connection is wanted, which `addBulk` brings: for bulk, or (`isUrgent`) because the one that there is may be dead. Called
   * again while none has come; it may fail. True while one is on its way.
   */
  dialBulk?: ((isUrgent: boolean) => boolean) | undefined;
  /** Nobody has said anything for long, and a ping goes: what is said now goes with it. */
  onQuiet?: (() => void) | undefined;
  /** It has lost its connection and waits for another, or has one again. */
  onWaiting?: (isWaiting: boolean) => void;
}

/** The device's end of a link. It owns its connections and closes them. */
export interface DeviceLink {
  readonly closed: Promise<LinkCloseReason>;
  /**
   * Goes on over this connection, whose other end knows the link: what is open goes on where it was. `number` is the one that
   * the other end was told, and grows with each connection.
   */
  resume(socket: Duplex, number?: number): void;
  /** Has a second connection, which the other end was told is for bulk. It is closed where there is no first one. */
  addBulk(socket: Duplex, number?: number): void;
  /** Cuts what is open, says goodbye and closes within a second; `shutdown` unless told. */
  close(reason?: LinkCloseReason): void;
}

/** Serves the cloud over a connection the agent has opened. Never throws. */
export function serveDeviceLink(
  socket: Duplex,
  handlers: DeviceHandlers,
  options: DeviceLinkOptions = {},
): DeviceLink {
  const session = new Session({
    pingIntervalMs: PING_INTERVAL_MS,
    ...options,
    onStream: (stream, line) => answerRequest(stream, line, handlers),
    classify: (line) => getPriority(parseRequest(line)),
    onGoodbye: (goodbye) => {
      if (goodbye.graceMs > 0) handlers.onGoAway?.(goodbye);
    },
  });
  session.attach(socket, false);
  return {
    closed: session.closed,
    resume: (next, number) => session.attach(next, true, number),
    addBulk(next, number) {
      // Who serves it is dialling for everything already.
      if (session.isWaiting) next.destroy();
      else session.addBulk(next, number);
    },
    close: (reason = 'shutdown') => session.close(reason),
  };
}
