import type { IncomingMessage } from 'node:http';

type Framed = Pick<IncomingMessage, 'method' | 'headers'>;

/** RFC 9110, sections 9.3.1, 9.3.2 and 9.3.8: their content has no meaning, and many web servers leave it unread. */
const withoutBody = new Set(['GET', 'HEAD', 'TRACE']);

export function hasBody({ headers }: Framed): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A body that a web server may take for the next request. */
export function hasUnexpectedBody(request: Framed): boolean {
  return withoutBody.has(request.method ?? '') && hasBody(request);
}

/**
 * Whether nothing of a request can be left over on its connection. Of other methods a web server may leave the body unread, be it empty
 * chunks, and to HEAD some send the body of a GET.
 */
export function endsWithItsHead(request: Framed): boolean {
  return request.method === 'GET' && !hasBody(request);
}

/** An answer that has no body, and says how long that is: some web servers send it all the same (RFC 9110, section 8.6). */
export function mayHaveStrayBody({ statusCode, headers }: IncomingMessage): boolean {
  if (statusCode !== 204 && statusCode !== 304) return false;
  return hasBody({ method: undefined, headers });
}
