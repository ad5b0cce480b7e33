import type { Socket } from 'node:net';
import type { Connection } from 'ssh2';
import { refuseSmallPacketsOfPeer } from '../../../platform/ssh/small-packets.ts';
import { farewellMs, isExchangingKeys } from '../../../platform/ssh/ssh2-internals.ts';
import type { CloseReason, DeviceConnection } from '../device-connection.ts';
import type { DeviceState } from '../device-data.ts';
import { EndpointError } from '../endpoint-error.ts';
import { SshForwardedStream } from './forwarded-stream.ts';
import type { Forwards } from './forwards.ts';

interface SshDevice {
  connection: Connection;
  socket: Socket;
  forwards: Forwards;
  putState: (state: DeviceState) => Promise<void>;
  /** How long a device may take to connect an endpoint. */
  openTimeoutMs?: number | undefined;
}

export interface SshDeviceConnection extends DeviceConnection {
  /** Cuts it for what its device has done. */
  cut(reason: CloseReason): void;
}

/** Streams at a time, and those that a device never answered. */
const maxStreams = 128;
/** What waits in the socket for all streams, in bytes. */
const maxUnsent = 256 * 1024;
const capabilities = new Set(['state'] as const);

/** The connection of a device that has logged in by SSH: streams are channels to what it has forwarded. It owns the socket. */
export function openSshConnection(device: SshDevice): SshDeviceConnection {
  const { connection, socket, forwards, putState, openTimeoutMs = 10_000 } = device;
  const streams = new Set<SshForwardedStream>();
  const held: (() => void)[] = [];
  /** Streams, and channels that the device was asked for and has said nothing of. */
  let channels = 0;
  let reason: CloseReason = 'transport';

  const isFull = () => socket.writableLength > maxUnsent || isExchangingKeys(connection);
  // ssh2 writes a packet in several pieces, each of which would be one of the network's too.
  const write = (act: () => void) => {
    socket.cork();
    act();
    socket.uncork();
  };
  const carrier = {
    whenWritable(act: () => void) {
      if (held.length > 0 || isFull()) held.push(act);
      else write(act);
    },
  };
  const resume = () => {
    for (let act = isFull() ? undefined : held.shift(); act; act = isFull() ? undefined : held.shift())
      write(act);
  };
  socket.on('drain', resume);
  connection.on('handshake', resume);

  function cut(why: CloseReason): void {
    if (reason === 'transport') reason = why;
    socket.destroy();
  }

  refuseSmallPacketsOfPeer(connection, () => cut('protocol'));
  connection.on('error', (error: Error & { level?: string }) => {
    if (reason !== 'transport') return;
    if (error.level === 'client-timeout') reason = 'ping_timeout';
    else if (error.level !== 'socket') reason = 'protocol';
  });
  const closed = new Promise<CloseReason>((resolve) => {
    // Before ssh2 ends its channels as if their devices had.
    connection.prependListener('close', () => {
      for (const stream of streams) stream.destroy(new EndpointError('link_closed'));
      held.length = 0;
      resolve(reason);
    });
  });

  function openChannel(endpoint: string, stream: SshForwardedStream): void {
    const forward = forwards.find(endpoint);
    if (!forward) {
      stream.destroy(new EndpointError('service_not_forwarded', 'it needs an -R of its own'));
      return;
    }
    if (socket.destroyed) return void stream.destroy(new EndpointError('link_closed'));
    if (channels >= maxStreams) {
      stream.destroy(new EndpointError('service_refused', 'too many streams'));
      return;
    }
    channels += 1;
    streams.add(stream);
    const timeout = setTimeout(
      () => stream.destroy(new EndpointError('service_timeout', 'the device did not answer')),
      openTimeoutMs,
    );
    let isAnswered = false;
    let isClosed = false;
    const release = () => {
      if (isAnswered && isClosed) channels -= 1;
    };
    stream.on('close', () => {
      isClosed = true;
      clearTimeout(timeout);
      streams.delete(stream);
      release();
    });
    connection.forwardOut(forward.bindAddr, forward.bindPort, '127.0.0.1', 0, (error, channel) => {
      isAnswered = true;
      clearTimeout(timeout);
      release();
      if (error) stream.destroy(new EndpointError('service_refused', 'the device could not connect'));
      else stream.attach(channel);
    });
  }

  return {
    capabilities,
    open(endpoint) {
      const stream = new SshForwardedStream(carrier);
      openChannel(endpoint, stream);
      return stream;
    },
    putState,
    // SSH has no word for it: the device comes back when it is closed.
    drain: () => {},
    close(why) {
      if (reason === 'transport') reason = why;
      connection.end();
      setTimeout(() => socket.destroy(), farewellMs).unref();
    },
    cut,
    closed,
    get bytesIn() {
      return socket.bytesRead;
    },
    get bytesOut() {
      return socket.bytesWritten;
    },
  };
}
