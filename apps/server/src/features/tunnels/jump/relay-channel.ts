import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connection, ServerChannel } from 'ssh2';
import { ClientBrake } from '../../../platform/client-brake.ts';
import type { ConnectionHandle } from '../../../platform/connection-handle.ts';
import { isExchangingKeys } from '../../../platform/ssh/ssh2-internals.ts';

/** A channel and what is below it. */
export interface RelayedChannel {
  channel: ServerChannel;
  connection: Connection;
  socket: Socket;
}

export interface ChannelRelay {
  readonly channel: ServerChannel;
  /** From the client to the device, in bytes. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** There may be room below the channel again: when the socket has drained, when keys have been exchanged. */
  resume(): void;
  /** Cuts both ends. */
  cut(): void;
  /** Resolves once nothing is relayed any more. Never rejects. */
  readonly ended: Promise<void>;
}

/** Bytes for the client that may wait in the channel, and in the socket for all its channels. */
const maxWaiting = 256 * 1024;
const maxUnsent = 1024 * 1024;

/**
 * Relays bytes both ways between a client's channel and an endpoint of a device. The device is held back by the client's
 * window, by its socket, which ssh2 does not look at, and by a key exchange that the client drags on.
 */
export function relayChannel(
  { channel, connection, socket }: RelayedChannel,
  device: Duplex,
  { count, charge }: Pick<ConnectionHandle, 'count' | 'charge'>,
): ChannelRelay {
  const bytes = { in: 0, out: 0 };
  const isFull = () =>
    channel.writableLength > maxWaiting || socket.writableLength > maxUnsent || isExchangingKeys(connection);
  const resume = () => {
    if (device.isPaused() && !isFull()) device.resume();
  };

  channel.on('data', (chunk: Buffer) => {
    bytes.in += chunk.length;
    count(chunk.length, 0);
  });
  // Ends the side of the device when the client has ended its own.
  const brake = new ClientBrake(charge);
  channel.pipe(brake).pipe(device);
  device.on('data', (chunk: Buffer) => {
    bytes.out += chunk.length;
    count(0, chunk.length);
    // ssh2 writes a packet in several pieces, each of which would be one of the network's too.
    socket.cork();
    channel.write(chunk, resume);
    socket.uncork();
    if (isFull()) device.pause();
  });
  // What waits in the channel is sent before it closes; `close` would drop it.
  device.on('end', () => channel.end());
  device.on('error', () => channel.destroy());
  channel.on('error', () => device.destroy());
  channel.on('close', () => device.destroy());

  const ended = new Promise<void>((resolve) => {
    device.on('close', () => {
      if (!device.readableEnded) channel.destroy();
      // Read to its end, without which a channel never closes.
      channel.unpipe(brake);
      channel.resume();
      resolve();
    });
  });

  return {
    channel,
    get bytesIn() {
      return bytes.in;
    },
    get bytesOut() {
      return bytes.out;
    },
    resume,
    cut: () => device.destroy(),
    ended,
  };
}
