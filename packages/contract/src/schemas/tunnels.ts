import { z } from 'zod';
import { limits } from '../limits.ts';
import { endpointPort } from './endpoints.ts';
import { id, time } from './text.ts';

/** The port of a named endpoint, where a call has it in the place of a protocol; undefined for anything else. */
export function readEndpointPort(protocol: string): number | undefined {
  return endpointPort.safeParse(protocol).data;
}

/** The port of `tcp-<port>` in the same place. */
export function readTcpPort(protocol: string): number | undefined {
  return protocol.startsWith('tcp-') ? readEndpointPort(protocol.slice('tcp-'.length)) : undefined;
}

/**
 * One TCP connection in binary messages of a WebSocket, of which an empty one is the end of its direction. The tunnel's key comes
 * in a header, and is good for as many as there are.
 */
export const tcpStreamPath = '/api/v1/tcp-stream/';

/** Optional path on the controller to come back to; always a path, never another address. */
export const openTunnelRequest = z
  .strictObject({
    path: z
      .string()
      .max(limits.tunnelPathLength)
      .regex(/^\/(?![/\\])[^\s\\\p{Cc}]*$/u, 'invalid')
      .optional(),
  })
  .optional();

/**
 * Where to go and the single-use key that opens it within a minute. For http the address carries the key; for
 * ssh the terminal sends it as its first message. The key of `tcp-<port>` is good for its session for as long as the tunnel.
 */
export const openTunnelAnswer = z.object({
  tunnel: z.object({
    id,
    /** `http`, `ssh`, the port of a named endpoint, or `tcp-<port>`. */
    protocol: z.string(),
    createdAt: time,
    expiresAt: time,
  }),
  tunnelRedirectUrl: z.string(),
  tunnelKey: z.string(),
});
export type OpenTunnelAnswer = z.infer<typeof openTunnelAnswer>;
