import { isUtf8 } from 'node:buffer';
import { fromRawByte, hasRawBytes, toRawByte } from '@pult/contract';
import type { SFTPWrapper } from 'ssh2';
import { FileError } from './file-error.ts';

/** The answer of SFTP that holds names (draft-ietf-secsh-filexfer-02 section 7). */
const nameAnswer = 104;
/** ssh2 takes no longer packet. */
const longestPacket = 256 * 1024;
/** No path is longer. */
const longestName = 4096;
/** Of the beginning of a packet: its length and its type. */
const headLength = 5;

/** By which ssh2 takes and sends names: it knows them as UTF-8 alone, and loses what is none. */
interface Inner {
  push(data: Buffer | null): void;
  outgoing: { window: number; packetSize: number };
  _buffer: readonly unknown[];
  _protocol: { channelData(id: number, data: Buffer): void };
}

/** All of ours that take paths. */
const pathCalls = [
  'open',
  'stat',
  'realpath',
  'opendir',
  'rename',
  'unlink',
  'ext_openssh_rename',
  'ext_openssh_statvfs',
] as const;

function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

/** A name as text: see `toRawByte`. A character of its own that looks like a byte is written by its bytes. */
export function readName(bytes: Buffer): string {
  if (bytes.length > longestName) return bytes.toString('utf8');
  if (isUtf8(bytes)) {
    const text = bytes.toString('utf8');
    if (!hasRawBytes(text)) return text;
  }
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at);
    const piece = bytes.subarray(at, at + lengthOf(first));
    const character = isUtf8(piece) ? piece.toString('utf8') : undefined;
    if (character === undefined || hasRawBytes(character)) {
      name += toRawByte(first);
      at += 1;
    } else {
      name += character;
      at += piece.length;
    }
  }
  return name;
}

/** The bytes of a name or a path. */
export function writeName(name: string): Buffer {
  if (!hasRawBytes(name)) return Buffer.from(name, 'utf8');
  return Buffer.concat(
    Array.from(name, (character) => {
      const byte = fromRawByte(character);
      return byte === undefined ? Buffer.from(character, 'utf8') : Buffer.of(byte);
    }),
  );
}

/** A string as SFTP has it, after its length. */
function pack(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function withLength(packet: Buffer): Buffer {
  packet.writeUInt32BE(packet.length - 4, 0);
  return packet;
}

/** Size, owners, permissions, times: the flag, and how long it is (section 5). */
const attributes = [
  [1, 8],
  [2, 8],
  [4, 4],
  [8, 8],
] as const;

/** The same answer with its names in UTF-8 throughout. What cannot be read stays as it is: ssh2 says so itself. */
function rewriteNames(packet: Buffer): Buffer {
  try {
    let at = headLength + 4;
    const skip = (count: number) => {
      at += count;
    };
    const readNumber = () => {
      const number = packet.readUInt32BE(at);
      skip(4);
      return number;
    };
    const skipString = () => skip(readNumber());
    let copied = 0;
    const pieces: Buffer[] = [];
    for (let left = readNumber(); left > 0; left -= 1) {
      const begin = at;
      skipString();
      const bytes = packet.subarray(begin + 4, at);
      if (!isUtf8(bytes) || hasRawBytes(bytes.toString('utf8'))) {
        pieces.push(packet.subarray(copied, begin), pack(Buffer.from(readName(bytes), 'utf8')));
        copied = at;
      }
      skipString(); // The line of `ls -l`, which nobody reads.
      const flags = readNumber();
      for (const [bit, length] of attributes) if (flags & bit) skip(length);
      // Pairs of a name and a value.
      const others = flags & 0x80000000 ? 2 * readNumber() : 0;
      for (let other = 0; other < others; other += 1) skipString();
    }
    if (at > packet.length || copied === 0) return packet;
    const rewritten = Buffer.concat([...pieces, packet.subarray(copied)]);
    return rewritten.length > longestPacket ? packet : withLength(rewritten);
  } catch {
    return packet;
  }
}

/** Calls `take` with what comes: packets of names whole and rewritten, all others as they come. */
export function createNameReader(take: (data: Buffer) => void): (data: Buffer) => void {
  const head = Buffer.alloc(headLength);
  let headFilled = 0;
  let packet: Buffer | undefined;
  let filled = 0;
  /** What is still to come of a packet without names. */
  let passing = 0;

  /** Room for a packet of names whose head is known; any other one is to pass. */
  function begin(known: Buffer): Buffer | undefined {
    const length = known.readUInt32BE(0) + 4;
    if (known[4] === nameAnswer && length >= headLength && length <= longestPacket) {
      filled = 0;
      return Buffer.allocUnsafe(length);
    }
    passing = length;
    return undefined;
  }

  return (data) => {
    for (let at = 0; at < data.length; ) {
      if (passing > 0) {
        const piece = data.subarray(at, at + passing);
        take(piece);
        passing -= piece.length;
        at += piece.length;
      } else if (packet) {
        const count = data.copy(packet, filled, at, at + packet.length - filled);
        filled += count;
        at += count;
        if (filled < packet.length) return;
        const whole = packet;
        packet = undefined;
        take(rewriteNames(whole));
      } else if (headFilled === 0 && data.length - at >= headLength) {
        packet = begin(data.subarray(at, at + headLength));
      } else {
        const count = data.copy(head, headFilled, at, at + headLength - headFilled);
        headFilled += count;
        at += count;
        if (headFilled < headLength) return;
        headFilled = 0;
        packet = begin(head);
        if (packet) filled = head.copy(packet);
        else {
          take(Buffer.from(head));
          passing = Math.max(0, passing - headLength);
        }
      }
    }
  };
}

/** In place of the texts, which stand in the packet in this order, their bytes. */
function replaceTexts(packet: Buffer, texts: readonly string[]): Buffer {
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const text of texts) {
    const written = pack(Buffer.from(text, 'utf8'));
    const begin = packet.indexOf(written, Math.max(copied, headLength));
    if (begin < 0) throw new FileError('failed');
    pieces.push(packet.subarray(copied, begin), pack(writeName(text)));
    copied = begin + written.length;
  }
  return withLength(Buffer.concat([...pieces, packet.subarray(copied)]));
}

/** Has names that are no UTF-8 come and go by their bytes. Once, as soon as the channel is open. */
export function keepRawNames(sftp: SFTPWrapper): SFTPWrapper {
  // No types describe these; the tests run them against OpenSSH, and the version of ssh2 is pinned.
  const inner = sftp as unknown as Inner;
  const calls = sftp as unknown as Record<string, ((...values: unknown[]) => unknown) | undefined>;
  const push = inner.push.bind(sftp);
  const read = createNameReader(push);
  inner.push = (data) => (data === null ? push(null) : read(data));

  for (const name of pathCalls) {
    const call = calls[name];
    if (!call) continue;
    calls[name] = (...values) => {
      const texts = values.filter((value) => typeof value === 'string').filter(hasRawBytes);
      if (texts.length === 0) return call.apply(sftp, values);
      const { outgoing, _protocol: protocol } = inner;
      const longest = 512 + texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      // In pieces, or later, it would go as it is.
      if (Math.min(outgoing.window, outgoing.packetSize) <= longest || inner._buffer.length > 0) {
        throw new FileError('busy');
      }
      inner._protocol = {
        channelData(id, packet) {
          const bytes = replaceTexts(packet, texts);
          outgoing.window += packet.length - bytes.length;
          protocol.channelData(id, bytes);
        },
      };
      try {
        return call.apply(sftp, values);
      } finally {
        inner._protocol = protocol;
      }
    };
  }
  return sftp;
}
