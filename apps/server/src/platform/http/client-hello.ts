import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

// The first message of a TLS client (RFC 8446, sections 4.1.2 and 5.1) with the name it asks for (RFC 6066, section 3).

const handshakeRecord = 22;
const recordHeaderBytes = 5;
const clientHello = 1;
const helloHeaderBytes = 4;
/** Far more than any client says: a hello with keys that withstand quantum computers has about 2 kB. */
const maxBytes = 16 * 1024;
/** Clients that cut it at all cut it into two or three. */
const maxRecords = 32;
const serverNameExtension = 0;
const hostNameType = 0;

/** A reader of what it must not read past. */
class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  readNumber(size: 1 | 2): number {
    const value = this.#bytes.readUIntBE(this.#at, size);
    this.#at += size;
    return value;
  }

  read(length: number): Buffer {
    const field = this.#bytes.subarray(this.#at, this.#at + length);
    if (field.length < length) throw new RangeError('a field that ends too late');
    this.#at += length;
    return field;
  }

  /** A field behind its length of one or two bytes. */
  readVector(size: 1 | 2): Buffer {
    return this.read(this.readNumber(size));
  }
}

/** What has come so far: the name, empty where none is named or this is no such message; or how long it has to be to say more. */
export type PeekedName = { name: string } | { needed: number };

/** The name that a client asks for by its first message. */
export function parseServerName(bytes: Buffer): PeekedName {
  const hello = joinRecords(bytes);
  if (hello && 'needed' in hello) return hello;
  try {
    return { name: hello ? readName(new Fields(hello)) : '' };
  } catch (error) {
    if (error instanceof RangeError) return { name: '' };
    throw error;
  }
}

/** The message within its records; undefined where this is none. */
function joinRecords(bytes: Buffer): Buffer | { needed: number } | undefined {
  const pieces: Buffer[] = [];
  let length = 0;
  let at = 0;
  while (pieces.length < maxRecords) {
    if (at < bytes.length && bytes[at] !== handshakeRecord) return undefined;
    if (bytes.length < at + recordHeaderBytes) return { needed: at + recordHeaderBytes };
    const end = at + recordHeaderBytes + bytes.readUInt16BE(at + 3);
    if (end > maxBytes) return undefined;
    if (bytes.length < end) return { needed: end };
    pieces.push(bytes.subarray(at + recordHeaderBytes, end));
    length += end - at - recordHeaderBytes;
    at = end;
    if (length < helloHeaderBytes) continue;
    const message = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    const whole = helloHeaderBytes + (message?.readUIntBE(1, 3) ?? 0);
    if (message?.[0] !== clientHello || whole > maxBytes) return undefined;
    if (length >= whole) return message.subarray(helloHeaderBytes, whole);
  }
  return undefined;
}

function readName(hello: Fields): string {
  hello.read(2 + 32); // version and random
  hello.readVector(1); // session
  hello.readVector(2); // cipher suites
  hello.readVector(1); // compression
  const extensions = new Fields(hello.readVector(2));
  while (!extensions.isAtEnd) {
    const type = extensions.readNumber(2);
    const extension = extensions.readVector(2);
    if (type === serverNameExtension) return readHostName(new Fields(new Fields(extension).readVector(2)));
  }
  return '';
}

function readHostName(names: Fields): string {
  while (!names.isAtEnd) {
    const type = names.readNumber(1);
    const name = names.readVector(2);
    if (type === hostNameType) return name.toString('latin1').toLowerCase();
  }
  return '';
}

/**
 * The name that a TLS client asks for, before anybody answers it; all that it has said is left to be read. Rejects when the
 * connection ends or the message is not whole within `timeoutMs`.
 */
export async function peekServerName(socket: Socket, timeoutMs: number): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  let pieces: Buffer[] = [];
  let length = 0;
  // Looked at only when it can say more: single bytes are no work.
  let needed = recordHeaderBytes;
  for (;;) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      if (socket.readableEnded || socket.destroyed) throw new Error('ended before its first message');
      await once(socket, 'readable', { signal });
      continue;
    }
    pieces.push(chunk);
    length += chunk.length;
    if (length < needed) continue;
    const seen = Buffer.concat(pieces);
    const parsed = parseServerName(seen);
    if ('needed' in parsed) {
      needed = parsed.needed;
      pieces = [seen];
      continue;
    }
    socket.unshift(seen);
    // The stream notices only then that nobody waits for `readable` any more.
    await nextTurn();
    return parsed.name;
  }
}
