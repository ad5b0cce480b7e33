import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';

// The PROXY protocol of HAProxy, versions 1 and 2: what a proxy of plain TCP says of its client, before the client's
// own bytes (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt).

export interface ProxyHeader {
  length: number;
  /** Undefined when the proxy speaks for itself, such as to see whether we live. */
  address: string | undefined;
}

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const maxLineLength = 107;
const fixedLength = 16;
/** Bytes of one address of TCP over IPv4 and IPv6; a header has two, and then their ports. */
const addressLengths: ReadonlyMap<number | undefined, number> = new Map([
  [0x11, 4],
  [0x21, 16],
]);
const portsLength = 4;
/** Addresses and whatever else a proxy adds. */
const maxLength = 2048;

/** `more` when it is only a header's beginning so far, `none` when it cannot become one. */
export function parseProxyHeader(bytes: Buffer): ProxyHeader | 'more' | 'none' {
  const begins = (beginning: Buffer) => {
    const length = Math.min(bytes.length, beginning.length);
    return bytes.subarray(0, length).equals(beginning.subarray(0, length));
  };
  if (begins(Buffer.from('PROXY '))) return parseText(bytes);
  if (begins(signature)) return parseBinary(bytes);
  return 'none';
}

function parseText(bytes: Buffer): ProxyHeader | 'more' | 'none' {
  const end = bytes.indexOf('\r\n');
  if (end === -1) return bytes.length < maxLineLength ? 'more' : 'none';
  const [, family = '', source = ''] = bytes.toString('latin1', 0, end).split(' ');
  const address = family === `TCP${isIP(source)}` ? source : undefined;
  return { length: end + 2, address };
}

function parseBinary(bytes: Buffer): ProxyHeader | 'more' | 'none' {
  if (bytes.length < fixedLength) return 'more';
  const length = fixedLength + bytes.readUInt16BE(14);
  if (length > maxLength) return 'none';
  if (bytes.length < length) return 'more';
  const isProxied = bytes[12] === 0x21;
  const rest = bytes.subarray(fixedLength, length);
  const addressBytes = isProxied ? addressLengths.get(bytes[13]) : undefined;
  if (addressBytes !== undefined && rest.length >= 2 * addressBytes + portsLength) {
    return { length, address: ipaddr.fromByteArray([...rest.subarray(0, addressBytes)]).toString() };
  }
  return { length, address: undefined };
}

/**
 * Takes a PROXY header off a connection, if there is one, and leaves all that follows to be read. The client's address;
 * undefined without one. Rejects when the connection ends, at whichever end, or nothing comes within `timeoutMs`. Only for peers that are
 * known to be proxies: anyone can send such a header.
 */
export async function readProxyHeader(socket: Socket, timeoutMs: number): Promise<string | undefined> {
  const waiting = new AbortController();
  const stop = () => waiting.abort();
  const timer = setTimeout(stop, timeoutMs);
  socket.once('close', stop);
  try {
    return await readHeader(socket, waiting.signal);
  } finally {
    clearTimeout(timer);
    socket.off('close', stop);
  }
}

async function readHeader(socket: Socket, signal: AbortSignal): Promise<string | undefined> {
  let seen = Buffer.alloc(0);
  for (;;) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      if (socket.readableEnded || socket.destroyed) throw new Error('ended before its first bytes');
      await once(socket, 'readable', { signal });
      continue;
    }
    seen = Buffer.concat([seen, chunk]);
    const header = parseProxyHeader(seen);
    if (header === 'more') continue;
    const rest = header === 'none' ? seen : seen.subarray(header.length);
    if (rest.length > 0) socket.unshift(rest);
    // The stream notices only then that nobody waits for `readable` any more.
    await nextTurn();
    return header === 'none' ? undefined : header.address;
  }
}
