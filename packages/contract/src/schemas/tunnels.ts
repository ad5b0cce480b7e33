import { z } from 'zod';
import { limits } from '../limits.ts';
import { forwardingProtocols, pageProtocols, type TunnelProtocol } from '../values/tunnels.ts';
import { endpointPort } from './endpoints.ts';
import { id, time } from './text.ts';

/** The port of a named endpoint, where a call has it in the place of a protocol; undefined for anything else. */
export function readEndpointPort(protocol: string): number | undefined {
  return endpointPort.safeParse(protocol).data;
}

/** What of a controller a tunnel leads to; the port is null for its own web interface and SSH server. */
export interface TunnelPlace {
  protocol: TunnelProtocol;
  port: number | null;
}

/** What a call has in the place of a protocol: one by name, the port of a named endpoint, or `<protocol>-<port>`. */
export function readTunnelPlace(text: string): TunnelPlace | undefined {
  const page = pageProtocols.find((each) => each === text);
  if (page) return { protocol: page, port: null };
  const dash = text.lastIndexOf('-');
  const port = readEndpointPort(text.slice(dash + 1));
  if (port === undefined) return undefined;
  if (dash < 0) return { protocol: 'http', port };
  const protocol = forwardingProtocols.find((each) => each === text.slice(0, dash));
  return protocol && { protocol, port };
}

/** The same as `readTunnelPlace` reads it. */
export function formatTunnelPlace({ protocol, port }: TunnelPlace): string {
  if (port === null) return protocol;
  return protocol === 'http' ? String(port) : `${protocol}-${port}`;
}

/** Where a WebSocket carries the raw bytes of a tunnel of that protocol; its key comes in a header. */
export const streamPathOf = (protocol: TunnelProtocol) => `/api/v1/${protocol}-stream/`;
/**
 * One TCP connection in binary messages of a WebSocket, of which an empty one is the end of its direction. The key is good for as
 * many as there are.
 */
export const tcpStreamPath = streamPathOf('tcp');
/** The raw bytes of an SSH connection in binary messages of a WebSocket, for SSH clients outside a browser. */
export const sshStreamPath = streamPathOf('ssh');

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
