import { createHmac, timingSafeEqual } from 'node:crypto';
import { type DnsRecord, dnsClass, dnsType, encodeName, encodeRecord, readName } from './dns-message.ts';

// Transaction signatures of DNS (RFC 8945).

export interface TsigKey {
  readonly name: string;
  readonly secret: Buffer;
  readonly algorithm: 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';
}

/** Seconds by which the clocks of both may differ. */
const fudge = 300;
const recordCountOffset = 10;

interface TsigFields {
  seconds: number;
  fudge: number;
  error: number;
  other: Buffer;
}

/** What a signature covers beside the message (section 4.3.3). */
function encodeVariables(key: TsigKey, { seconds, fudge: allowed, error, other }: TsigFields): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt16BE(dnsClass.any, 0);
  const times = Buffer.alloc(8);
  times.writeUIntBE(seconds, 0, 6);
  times.writeUInt16BE(allowed, 6);
  const tail = Buffer.alloc(4);
  tail.writeUInt16BE(error, 0);
  tail.writeUInt16BE(other.length, 2);
  return Buffer.concat([
    encodeName(key.name.toLowerCase()),
    head,
    encodeName(key.algorithm),
    times,
    tail,
    other,
  ]);
}

function computeMac(key: TsigKey, parts: readonly Buffer[]): Buffer {
  const hmac = createHmac(key.algorithm.replace('hmac-', ''), key.secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export interface SignedMessage {
  message: Buffer;
  mac: Buffer;
}

export function signMessage(message: Buffer, key: TsigKey, now: Date): SignedMessage {
  const fields = { seconds: Math.floor(now.getTime() / 1000), fudge, error: 0, other: Buffer.alloc(0) };
  const mac = computeMac(key, [message, encodeVariables(key, fields)]);
  const times = Buffer.alloc(8);
  times.writeUIntBE(fields.seconds, 0, 6);
  times.writeUInt16BE(fudge, 6);
  const tail = Buffer.alloc(6);
  message.copy(tail, 0, 0, 2);
  const record = encodeRecord({
    name: key.name,
    type: dnsType.tsig,
    class: dnsClass.any,
    ttl: 0,
    data: Buffer.concat([encodeName(key.algorithm), times, withLength(mac), tail]),
  });
  const signed = Buffer.concat([message, record]);
  signed.writeUInt16BE(signed.readUInt16BE(recordCountOffset) + 1, recordCountOffset);
  return { message: signed, mac };
}

/** The error of a TSIG record (section 3), whoever has made it; undefined where it has none. Throws a RangeError. */
export function readTsigError(record: DnsRecord | undefined): number | undefined {
  return record?.type === dnsType.tsig ? parseTsig(record).error || undefined : undefined;
}

function parseTsig({ data }: DnsRecord) {
  const { name: algorithm, end } = readName(data, 0);
  const macLength = data.readUInt16BE(end + 8);
  const mac = data.subarray(end + 10, end + 10 + macLength);
  const rest = end + 10 + macLength;
  const otherLength = data.readUInt16BE(rest + 4);
  return {
    algorithm,
    seconds: data.readUIntBE(end, 6),
    fudge: data.readUInt16BE(end + 6),
    mac,
    originalId: data.readUInt16BE(rest),
    error: data.readUInt16BE(rest + 2),
    other: data.subarray(rest + 6, rest + 6 + otherLength),
  };
}

/** Whether an answer to a signed message was signed with the key, now. Throws a RangeError where it is cut. */
export function isSignedAnswer(
  answer: Buffer,
  record: (DnsRecord & { offset: number }) | undefined,
  { key, requestMac, now }: { key: TsigKey; requestMac: Buffer; now: Date },
): boolean {
  if (record?.type !== dnsType.tsig || record.name !== key.name.toLowerCase().replace(/\.$/, ''))
    return false;
  const fields = parseTsig(record);
  if (fields.algorithm !== key.algorithm) return false;
  if (Math.abs(now.getTime() / 1000 - fields.seconds) > fudge + 1) return false;
  const unsigned = Buffer.from(answer.subarray(0, record.offset));
  unsigned.writeUInt16BE(fields.originalId, 0);
  unsigned.writeUInt16BE(unsigned.readUInt16BE(recordCountOffset) - 1, recordCountOffset);
  const expected = computeMac(key, [withLength(requestMac), unsigned, encodeVariables(key, fields)]);
  return expected.length === fields.mac.length && timingSafeEqual(expected, fields.mac);
}
