import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

/**
 * Whether a client only offers to go on in HTTP/2 (curl does by default over plain HTTP). Whoever does not want to
 * answers as if nothing had been offered (RFC 9110, section 7.8); a device behind us must never hear of it, as it would
 * then speak past our checks.
 */
export function offersHttp2({ headers }: IncomingMessage): boolean {
  const offered = headers.upgrade?.split(',').map((protocol) => protocol.trim().toLowerCase()) ?? [];
  return offered.some((protocol) => protocol === 'h2c' || protocol === 'h2');
}

/**
 * Has a request answered as one without an offer: Node has taken its connection out of HTTP because of that, so it is
 * put back in, beginning with the request.
 */
export function answerPlain(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  let head = `${request.method} ${request.url} HTTP/1.1\r\n`;
  for (const [name, value] of listHeaders(request)) head += `${name}: ${value}\r\n`;
  // As Node has read them.
  putBackInHttp(server, socket, Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), rest]));
}

/** Takes the offer out of a request that Node has left in HTTP. */
export function forgetOffer(request: IncomingMessage): void {
  const { headers } = request;
  request.rawHeaders = listHeaders(request).flat();
  delete headers.upgrade;
  delete headers['http2-settings'];
  if (headers.connection !== undefined) headers.connection = withoutOffer(headers.connection);
}

/** All of them but the offer. */
function listHeaders({ rawHeaders }: IncomingMessage): [name: string, value: string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const lower = name.toLowerCase();
    if (lower === 'upgrade' || lower === 'http2-settings') continue;
    headers.push([name, lower === 'connection' ? withoutOffer(value) : value]);
  }
  return headers;
}

/** Puts a connection that Node has taken out of HTTP back in; `bytes` are what it reads first. */
export function putBackInHttp(server: Server, socket: Duplex, bytes: Buffer): void {
  if (bytes.length > 0) socket.unshift(bytes);
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
}

/** `keep-alive` stands for an empty one, and is what HTTP/1.1 means anyway. */
function withoutOffer(connection: string): string {
  const kept = connection
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !/^(upgrade|http2-settings)$/i.test(name));
  return kept.join(', ') || 'keep-alive';
}
