import type { Duplex } from 'node:stream';
import type { LiveThing } from './live-tunnels.ts';

/** Counts what goes both ways between two joined streams; to be called after they were joined, or it would flow early. */
export function countBytes(thing: LiveThing, client: Duplex, device: Duplex): void {
  client.on('data', (chunk: Buffer) => thing.count(chunk.length, 0));
  device.on('data', (chunk: Buffer) => thing.count(0, chunk.length));
}
