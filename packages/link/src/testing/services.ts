import { connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen } from '@pult/testkit/in-test';
import { onTestFinished } from 'vitest';
import type { DeviceHandlers } from '../device-handlers.ts';

/** A local TCP service and the handler that connects to it. */
export async function createService(
  serve: (socket: Socket) => void,
): Promise<Pick<DeviceHandlers, 'connectService'>> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    onTestFinished(() => {
      socket.destroy();
    });
    serve(socket);
  });
  const port = await listen(server);
  return { connectService: () => connectTo(port) };
}

export function connectTo(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Writes `size` bytes with regard to backpressure, then ends. */
export function writeBytes(target: Duplex, size: number): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let left = size;
  const write = () => {
    while (left > 0) {
      const part = chunk.subarray(0, Math.min(left, chunk.length));
      left -= part.length;
      if (!target.write(part)) {
        target.once('drain', write);
        return;
      }
    }
    target.end();
  };
  write();
}

/** Reads to the end and returns the number of bytes; rejects when the stream is cut. */
export async function countBytes(source: Duplex): Promise<number> {
  let size = 0;
  for await (const chunk of source) size += chunk.length;
  return size;
}
