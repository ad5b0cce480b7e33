import type { Duplex } from 'node:stream';
import type { ConnectionHandle } from './live-tunnels.ts';

/** Counts what goes both ways between two joined streams; to be called after they were joined, or it would flow early. */
export function countBytes(handle: ConnectionHandle, client: Duplex, device: Duplex): void {
  client.on('data', (chunk: Buffer) => handle.count(chunk.length, 0));
  device.on('data', (chunk: Buffer) => handle.count(0, chunk.length));
}
