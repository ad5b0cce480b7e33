import { performServerHandshake, type ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import { answerRequest } from './answer-request.ts';
import type { DeviceHandlers } from './device-handlers.ts';
import { deviceWindows, getSessionOptions, MAX_STREAMS } from './http2-options.ts';
import type { LinkCloseReason } from './link-error.ts';
import { holdLinkSession } from './link-session.ts';
import type { LivenessOptions } from './liveness.ts';

/** The device's end of a link. It owns the socket and closes it. */
export interface DeviceLink {
  readonly closed: Promise<LinkCloseReason>;
  /** Cuts what is open, says goodbye and closes within a second; `shutdown` unless told. */
  close(reason?: LinkCloseReason): void;
}

/** Serves HTTP/2 to the cloud over a connection the agent has opened. Never throws. */
export function serveDeviceLink(
  socket: Duplex,
  handlers: DeviceHandlers,
  options: LivenessOptions = {},
): DeviceLink {
  const session: ServerHttp2Session = performServerHandshake(
    socket,
    getSessionOptions(deviceWindows, { maxConcurrentStreams: MAX_STREAMS }),
  );
  const link = holdLinkSession(session, socket, {
    ...options,
    onGoodbye: (goodbye) => {
      if (goodbye.graceMs > 0) handlers.onGoAway?.(goodbye);
    },
  });
  session.setLocalWindowSize(deviceWindows.connectionBytes);
  session.on('stream', (stream, headers) => {
    link.track(stream);
    answerRequest(stream, headers, handlers, link);
  });
  return { closed: link.closed, close: (reason = 'shutdown') => link.close(reason) };
}
