import type { ServerResponse } from 'node:http';

/** Leads a browser on, to an address that no cache keeps and no other site learns of. */
export function sendRedirect(
  response: ServerResponse,
  status: 302 | 303,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, {
      location,
      ...headers,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-length': 0,
    })
    .end();
}
