import type { IncomingMessage } from 'node:http';

/** How many hosts, lengths and codings a request names. */
function countFraming(request: IncomingMessage) {
  let hosts = 0;
  let lengths = 0;
  let codings = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]?.toLowerCase();
    if (name === 'host') hosts += 1;
    if (name === 'content-length') lengths += 1;
    if (name === 'transfer-encoding') codings += 1;
  }
  return { hosts, lengths, codings };
}

/**
 * True where two readers of one request could disagree about its host or its length (request smuggling,
 * RFC 9112, sections 3.2 and 6.1). Such a request is answered 400 before anything is decided by it. Without any
 * host it is one of HTTP/1.0, such as a load balancer's health check.
 */
export function isAmbiguous(request: IncomingMessage): boolean {
  const { hosts, lengths, codings } = countFraming(request);
  const isOriginForm = request.url?.startsWith('/') === true;
  return hosts > 1 || lengths + codings > 1 || !isOriginForm;
}

/** Whether it has a body, be it an empty one. */
export function saysLength(request: IncomingMessage): boolean {
  const { lengths, codings } = countFraming(request);
  return lengths + codings > 0;
}

/** The same for an upgrade, whose body would be taken for the bytes of the new protocol. */
export function isAmbiguousUpgrade(request: IncomingMessage): boolean {
  return isAmbiguous(request) || saysLength(request);
}
