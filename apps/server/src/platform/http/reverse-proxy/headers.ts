import type { IncomingMessage } from 'node:http';
import type { CookieFilter } from './cookie-filter.ts';

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
  // Node has answered it: the body is on its way.
  'expect',
]);
/** What says where a message ends and whose it is: `Connection` cannot take it away from us. */
const framing = new Set(['content-length', 'host']);
/** Where a client is, and how it came: set by us, so never taken from a client. */
const clientAddress = /^(forwarded|x-forwarded(-.*)?|x-real-ip|(x-|true-|x-cluster-)?client-ip)$/;
/** Who a client has proven to be to a proxy, which for an upstream we are: by a certificate (RFC 9440 and its like), or by a login. */
const clientIdentity =
  /^((x-)?(ssl-)?client-(cert|verify|dn|s-dn|i-dn)(-.*)?|(x-)?remote-(addr|user|groups?|name|email)|x-(auth-request|authenticated|webauth)-.*)$/;
/** Some web servers read an underscore as a hyphen, and would find another end of the message than everybody else. */
const framingLookalike = /^(content_length|transfer_encoding)$/;
/** Would outlive the answer, reach beyond the host, or lock people out of it. */
const notForBrowsers = new Set([
  'strict-transport-security',
  'clear-site-data',
  'public-key-pins',
  'alt-svc',
  'nel',
  'permissions-policy',
]);

/**
 * Nobody's page behind us asks for a passkey, whatever it says itself: one of the console might be meant, whose host its own may
 * lie under, or be but for the port.
 */
const withoutPasskeys = {
  name: 'Permissions-Policy',
  value: 'publickey-credentials-get=(), publickey-credentials-create=()',
};

/** Names and values by turns, as Node takes and gives them. */
export type RawHeaders = string[];

/** What is told to an upstream of the client: its address, and by which scheme and host it came. */
export interface ForwardedBy {
  address: string;
  scheme: string;
  host: string;
}

/** Of an upstream that answers to a name of its own only, and is spoken to as if browsers reached it by that. */
export interface OwnName {
  /** By which browsers reach it. */
  origin: string;
  ownOrigin: string;
  /** As `Host`. */
  host: string;
}

/** What passes between browsers and an upstream besides what HTTP itself says. */
export interface HeaderRules {
  forwardedBy: ForwardedBy;
  cookies: CookieFilter;
  ownName?: OwnName | undefined;
  /** Further headers of a client, by their names in lower case, that do not pass. */
  isReserved?: (name: string) => boolean;
  /** Set in their place. */
  added?: Readonly<RawHeaders>;
  /** Where a redirect, be it by `Location` or by `Refresh`, leads the browser; as the upstream says when this is left out. */
  rewriteLocation?: (location: string) => string;
}

/** Some web servers read an underscore as a hyphen. */
function isWordOfProxy(lower: string): boolean {
  const name = lower.replaceAll('_', '-');
  return clientAddress.test(name) || clientIdentity.test(name);
}

const none: ReadonlySet<string> = new Set();

function namedByConnection({ headers: { connection } }: IncomingMessage): ReadonlySet<string> {
  // What nearly all say is among the hop-by-hop ones.
  if (connection === undefined || connection === 'keep-alive') return none;
  const listed = connection.toLowerCase().split(',');
  return new Set(listed.map((name) => name.trim()).filter((name) => !framing.has(name)));
}

/** In which a browser says where it is. */
const ofPlace = new Set(['host', 'origin', 'referer']);

/** What a browser says of where it is, as it would say it to the upstream by its own name. */
function toOwnName(lower: string, value: string, { origin, ownOrigin, host }: OwnName): string {
  if (lower === 'host') return host;
  const isOwn = value === origin || (lower === 'referer' && value.startsWith(`${origin}/`));
  return isOwn ? ownOrigin + value.slice(origin.length) : value;
}

/** What an upstream gets to see of a browser's request: no cookie and no header of ours. */
export function requestHeaders(request: IncomingMessage, rules: HeaderRules): RawHeaders {
  const { forwardedBy: by, cookies, ownName, isReserved, added = [] } = rules;
  const named = namedByConnection(request);
  const headers: RawHeaders = [];
  const { rawHeaders } = request;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''];
    const lower = name.toLowerCase();
    if (hopByHop.has(lower) || named.has(lower) || isWordOfProxy(lower) || isReserved?.(lower)) continue;
    if (framingLookalike.test(lower)) continue;
    if (lower !== 'cookie') {
      headers.push(name, ownName && ofPlace.has(lower) ? toOwnName(lower, value, ownName) : value);
      continue;
    }
    const kept = cookies.toUpstream(value);
    if (kept !== undefined) headers.push(name, kept);
  }
  headers.push('X-Forwarded-For', by.address, 'X-Forwarded-Proto', by.scheme, 'X-Forwarded-Host', by.host);
  // Without a length the body is chunked anew towards the upstream.
  if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  headers.push(...added);
  return headers;
}

/** Seconds, a separator, and then perhaps the name of what follows; by the HTML standard, for `<meta>` as for the header. */
const refreshBegin = /^\s*[\d.]+[\s;,]+(?:url\s*=\s*)?/i;

/** What `Refresh` leads to, rewritten as a `Location`; it may stand in quotes, behind which nothing counts. */
function rewriteRefresh(refresh: string, rewrite: (location: string) => string): string {
  const [begin] = refreshBegin.exec(refresh) ?? [];
  if (begin === undefined) return refresh;
  const address = refresh.slice(begin.length);
  const quote = address[0] === '"' || address[0] === "'" ? address[0] : undefined;
  if (quote === undefined) return begin + rewrite(address);
  const [quoted = ''] = address.slice(1).split(quote);
  return begin + quote + rewrite(quoted) + quote;
}

/** What a browser gets to see of an upstream's answer. */
export function responseHeaders(response: IncomingMessage, rules: HeaderRules): RawHeaders {
  const { cookies, rewriteLocation } = rules;
  const named = namedByConnection(response);
  const headers: RawHeaders = [];
  const { rawHeaders } = response;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''];
    const lower = name.toLowerCase();
    if (hopByHop.has(lower) || named.has(lower) || notForBrowsers.has(lower)) continue;
    if (lower === 'location') headers.push(name, rewriteLocation?.(value) ?? value);
    else if (lower === 'refresh' && rewriteLocation)
      headers.push(name, rewriteRefresh(value, rewriteLocation));
    else if (lower !== 'set-cookie') headers.push(name, value);
    else {
      const cookie = cookies.toBrowser(value);
      if (cookie !== undefined) headers.push(name, cookie);
    }
  }
  headers.push(withoutPasskeys.name, withoutPasskeys.value);
  return headers;
}
