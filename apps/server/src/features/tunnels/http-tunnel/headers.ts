import type { IncomingMessage } from 'node:http';
import type { DeviceCookies } from './device-cookies.ts';

/** Meant for one connection only (RFC 9110, section 7.6.1), besides those that `Connection` names. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** What says where a message ends and whose it is: `Connection` cannot take it away from us. */
const framing = new Set(['content-length', 'host']);
/** Set by us, so never taken from a client; some web servers read an underscore as a hyphen. */
const forwarded = /^(forwarded|x[-_]forwarded[-_].*|x[-_]real[-_]ip)$/;
/** Would outlive the answer, reach beyond the tunnel host, or lock people out of it. */
const notForBrowsers = new Set([
  'strict-transport-security',
  'clear-site-data',
  'public-key-pins',
  'alt-svc',
  'nel',
]);

export type RawHeaders = string[];

function* pairs(raw: readonly string[]): Generator<[name: string, value: string, lower: string]> {
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    yield [name, raw[index + 1] ?? '', name.toLowerCase()];
  }
}

function namedByConnection(message: IncomingMessage): Set<string> {
  const listed = message.headers.connection?.toLowerCase().split(',') ?? [];
  return new Set(listed.map((name) => name.trim()).filter((name) => !framing.has(name)));
}

export interface ForwardedBy {
  address: string;
  scheme: string;
  host: string;
}

/** What a device gets to see of a browser's request: no cookie and no header of ours. */
export function requestHeaders(
  request: IncomingMessage,
  by: ForwardedBy,
  cookies: DeviceCookies,
): RawHeaders {
  const named = namedByConnection(request);
  const headers: RawHeaders = [];
  for (const [name, value, lower] of pairs(request.rawHeaders)) {
    if (hopByHop.has(lower) || named.has(lower) || forwarded.test(lower)) continue;
    // Node has answered it: the body is on its way.
    if (lower === 'expect') continue;
    if (lower !== 'cookie') {
      headers.push(name, value);
      continue;
    }
    const kept = cookies.toDevice(value);
    if (kept !== undefined) headers.push(name, kept);
  }
  headers.push('X-Forwarded-For', by.address, 'X-Forwarded-Proto', by.scheme, 'X-Forwarded-Host', by.host);
  // Without a length the body is chunked anew towards the device.
  if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  return headers;
}

/** Hosts by which a device may call itself: what a browser elsewhere could not reach anyway. */
const ownAddress =
  /^(localhost|\[::1\]|\[f[cde][0-9a-f:]*\]|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|169\.254\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|[^.:]+|[^:]+\.(local|lan|home|internal))$/i;

/** Where a browser finds a device's web servers. */
export interface InterfacePlace {
  /** Of the interface that answers. */
  origin: string;
  /** The address that leads to this path of a named service; undefined where no service has that port. */
  linkToService?: (port: number, path: string) => string | undefined;
}

/**
 * A redirect to the device's own address, brought back to the tunnel's origin, or to where the named service on that
 * port is; any other as it is.
 */
export function rewriteLocation(location: string, { origin, linkToService }: InterfacePlace): string {
  if (!/^(https?:)?\/\//i.test(location) || !URL.canParse(location, origin)) return location;
  const url = new URL(location, origin);
  const { hostname, host } = new URL(origin);
  if (url.hostname !== hostname && !ownAddress.test(url.hostname)) return location;
  const path = url.pathname + url.search + url.hash;
  const isElsewhere = url.port !== '' && url.host !== host;
  return (isElsewhere ? linkToService?.(Number(url.port), path) : undefined) ?? origin + path;
}

/** What a browser gets to see of a device's answer. */
export function responseHeaders(
  response: IncomingMessage,
  place: InterfacePlace,
  cookies: DeviceCookies,
): RawHeaders {
  const named = namedByConnection(response);
  const headers: RawHeaders = [];
  for (const [name, value, lower] of pairs(response.rawHeaders)) {
    if (hopByHop.has(lower) || named.has(lower) || notForBrowsers.has(lower)) continue;
    if (lower === 'location') headers.push(name, rewriteLocation(value, place));
    else if (lower !== 'set-cookie') headers.push(name, value);
    else {
      const cookie = cookies.toBrowser(value);
      if (cookie !== undefined) headers.push(name, cookie);
    }
  }
  return headers;
}
