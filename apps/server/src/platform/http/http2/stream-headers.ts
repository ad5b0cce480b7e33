import type { OutgoingHttpHeaders } from 'node:http2';

/** Names and values by turns, as Node gives and takes them. */
type RawHeaders = string[];

/** What a stream asks for, as a request of HTTP/1.1. */
export interface StreamRequest {
  method: string;
  path: string;
  /** With the port, as in `Host`. */
  host: string;
  /** `host` is among them, and what HTTP/1.1 says of a connection is not. */
  headers: RawHeaders;
}

/** nghttp2 refuses them in requests, but for `te`; answers of HTTP/1.1 have them. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'te',
]);

/** Undefined where it is not clear what is asked of whom (RFC 9113, section 8.3.1). */
export function readStreamRequest(raw: readonly string[]): StreamRequest | undefined {
  const pseudo = new Map<string, string>();
  const headers: RawHeaders = [];
  const cookies: string[] = [];
  const hosts = new Set<string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    if (name.startsWith(':')) pseudo.set(name, value);
    else if (name === 'host') hosts.add(value);
    // Browsers send them one by one, which HTTP/1.1 does not know (section 8.2.3).
    else if (name === 'cookie') cookies.push(value);
    else if (!ofConnection.has(name)) headers.push(name, value);
  }
  const method = pseudo.get(':method');
  const path = pseudo.get(':path');
  const authority = pseudo.get(':authority');
  if (authority !== undefined) hosts.add(authority);
  const [host] = hosts;
  const isKnown = method !== undefined && path !== undefined && host !== undefined && hosts.size === 1;
  if (!isKnown || method === 'CONNECT' || pseudo.get(':scheme') !== 'https') return undefined;
  if (cookies.length > 0) headers.unshift('cookie', cookies.join('; '));
  return { method, path, host, headers: ['host', host, ...headers] };
}

/** The framing that the HTTP/1.1 of a request needs, as a stream says by its end where its body ends. */
export function framingOf({ method, headers }: StreamRequest, hasBody: boolean): RawHeaders {
  const hasLength = headers.some((name, index) => index % 2 === 0 && name === 'content-length');
  if (hasBody) return hasLength ? [] : ['transfer-encoding', 'chunked'];
  return hasLength || method === 'GET' || method === 'HEAD' ? [] : ['content-length', '0'];
}

/**
 * Of an answer's headers those that go over HTTP/2. What comes several times is one list, as whoever reads it takes it to be
 * (RFC 9110, section 5.3): Node sends some names once only.
 */
export function toStreamHeaders(status: number, raw: readonly string[]): OutgoingHttpHeaders {
  const headers: Record<string, string> = Object.create(null);
  const cookies: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    if (ofConnection.has(name)) continue;
    if (name === 'set-cookie') cookies.push(value);
    // Browsers go by the last type.
    else if (headers[name] === undefined || name === 'content-type') headers[name] = value;
    else headers[name] += `, ${value}`;
  }
  // It has no body whose length it could say; browsers take it for a fault.
  if (status === 204) delete headers['content-length'];
  return { ...headers, ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}), ':status': status };
}
