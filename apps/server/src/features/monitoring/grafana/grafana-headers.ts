import type { IncomingMessage } from 'node:http';

/** Meant for one connection only (RFC 9110, section 7.6.1), besides those that `Connection` names. */
const hopByHop =
  /^(connection|keep-alive|proxy-(authenticate|authorization|connection)|te|trailer|transfer-encoding|upgrade|expect)$/;
/** What says where a message ends and whose it is: `Connection` cannot take it away. */
const framing = /^(content-length|host)$/;
/** Set by us, so never taken from a client; some servers read an underscore as a hyphen. */
const forwarded = /^(forwarded|x[-_]forwarded[-_].*|x[-_]real[-_]ip)$/;
/** Would outlive the answer, or reach beyond Grafana's host. */
const notForBrowsers = /^(strict-transport-security|clear-site-data|alt-svc|nel)$/;

export interface HeaderRules {
  /** Cookies that pass in neither direction. */
  isReservedCookie: (name: string) => boolean;
  /** Headers of a client, in lower case, that do not pass. */
  isReserved: (name: string) => boolean;
  /** Name after value, set in their place. */
  added: readonly string[];
}

function* pairs(raw: readonly string[]): Generator<[name: string, value: string, lower: string]> {
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    yield [name, raw[index + 1] ?? '', name.toLowerCase()];
  }
}

/** Those that pass on from hop to hop. */
function* passing(message: IncomingMessage): ReturnType<typeof pairs> {
  const listed = message.headers.connection?.toLowerCase().split(',') ?? [];
  const named = new Set(listed.map((name) => name.trim()).filter((name) => !framing.test(name)));
  for (const pair of pairs(message.rawHeaders)) {
    if (!hopByHop.test(pair[2]) && !named.has(pair[2])) yield pair;
  }
}

/** What Grafana gets to see of a browser's request. */
export function toGrafana(request: IncomingMessage, rules: HeaderRules): string[] {
  const headers: string[] = [];
  for (const [name, value, lower] of passing(request)) {
    if (forwarded.test(lower) || rules.isReserved(lower)) continue;
    if (lower !== 'cookie') {
      headers.push(name, value);
      continue;
    }
    const kept = value
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair !== '' && !rules.isReservedCookie(pair.split('=')[0]?.trim() ?? ''));
    if (kept.length > 0) headers.push(name, kept.join('; '));
  }
  // Without a length the body is chunked anew.
  if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  return [...headers, ...rules.added];
}

/** What a browser gets to see of Grafana's answer. */
export function toBrowser(response: IncomingMessage, rules: Pick<HeaderRules, 'isReservedCookie'>): string[] {
  const headers: string[] = [];
  for (const [name, value, lower] of passing(response)) {
    if (notForBrowsers.test(lower)) continue;
    if (lower !== 'set-cookie') headers.push(name, value);
    // Host-only: no cookie of Grafana's goes to the console or to a controller.
    else if (!rules.isReservedCookie(/^[\s=]*([^=;\s]*)/.exec(value)?.[1] ?? '')) {
      headers.push(name, value.replace(/;\s*domain\s*(=[^;]*)?(?=;|$)/gi, ''));
    }
  }
  return headers;
}
