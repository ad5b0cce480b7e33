/** Where a local service listens. */
export interface Endpoint {
  host: string;
  port: number;
  /** The agent speaks TLS to it, so that the cloud sees plain bytes. */
  isTls: boolean;
}

/**
 * Reads `HOST:PORT`, `http://HOST[:PORT]` or `https://HOST[:PORT]`; an IPv6 address stands in brackets.
 * Null for anything else.
 */
export function parseEndpoint(text: string): Endpoint | null {
  const match = /^(?:(https?):\/\/)?(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?\/?$/.exec(text);
  const [, scheme, host, digits] = match ?? [];
  if (!host || (!scheme && !digits)) return null;
  const port = digits ? Number(digits) : scheme === 'https' ? 443 : 80;
  if (port < 1 || port > 65535) return null;
  return { host: host.replace(/^\[|\]$/g, ''), port, isTls: scheme === 'https' };
}
