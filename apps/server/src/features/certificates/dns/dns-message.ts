// Messages of DNS updates (RFC 1035, section 4; RFC 2136, section 2), as far as records of ACME need them.

export const dnsClass = { internet: 1, none: 254, any: 255 } as const;
export const dnsType = { soa: 6, txt: 16, tsig: 250 } as const;
const updateOpcode = 5;

export interface DnsRecord {
  name: string;
  type: number;
  class: number;
  ttl: number;
  data: Buffer;
}

const headerBytes = 12;

/** Without compression. Throws a RangeError where a label or the name is too long. */
export function encodeName(name: string): Buffer {
  const labels = name.replace(/\.$/, '').split('.').filter(Boolean);
  const parts = labels.map((label) => {
    const bytes = Buffer.from(label, 'latin1');
    if (bytes.length > 63) throw new RangeError('a label of a name has more than 63 characters');
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  const encoded = Buffer.concat([...parts, Buffer.from([0])]);
  if (encoded.length > 255) throw new RangeError('a name has more than 253 characters');
  return encoded;
}

/** Character strings of 255 bytes at most, as TXT has them. */
export function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > 255) throw new RangeError('a text has more than 255 bytes');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

export function encodeRecord(record: DnsRecord): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(record.type, 0);
  fixed.writeUInt16BE(record.class, 2);
  fixed.writeUInt32BE(record.ttl, 4);
  fixed.writeUInt16BE(record.data.length, 8);
  return Buffer.concat([encodeName(record.name), fixed, record.data]);
}

export function encodeUpdate(id: number, zone: string, updates: readonly DnsRecord[]): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(updateOpcode << 11, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(updates.length, 8);
  const question = Buffer.alloc(4);
  question.writeUInt16BE(dnsType.soa, 0);
  question.writeUInt16BE(dnsClass.internet, 2);
  return Buffer.concat([header, encodeName(zone), question, ...updates.map(encodeRecord)]);
}

export interface DnsAnswer {
  id: number;
  isAnswer: boolean;
  code: number;
  /** The last record of the last section, with the place where it begins. */
  last: (DnsRecord & { offset: number }) | undefined;
}

/** Throws a RangeError where it is no message of DNS. */
export function decodeAnswer(message: Buffer): DnsAnswer {
  const flags = message.readUInt16BE(2);
  const counts = [4, 6, 8, 10].map((offset) => message.readUInt16BE(offset));
  const [questions = 0, ...records] = counts;
  let at = headerBytes;
  for (let index = 0; index < questions; index++) at = readName(message, at).end + 4;
  let last: DnsAnswer['last'];
  const total = records.reduce((sum, count) => sum + count, 0);
  for (let index = 0; index < total; index++) {
    const { name, end } = readName(message, at);
    const length = message.readUInt16BE(end + 8);
    const data = message.subarray(end + 10, end + 10 + length);
    if (data.length < length) throw new RangeError('a record ends too late');
    last = {
      offset: at,
      name,
      type: message.readUInt16BE(end),
      class: message.readUInt16BE(end + 2),
      ttl: message.readUInt32BE(end + 4),
      data,
    };
    at = end + 10 + length;
  }
  return { id: message.readUInt16BE(0), isAnswer: (flags & 0x8000) !== 0, code: flags & 0xf, last };
}

/** A name and the place behind it; pointers lead back only, so that no message makes it go in circles. */
export function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  let end: number | undefined;
  for (;;) {
    const length = message.readUInt8(at);
    if (length === 0) return { name: labels.join('.').toLowerCase(), end: end ?? at + 1 };
    if (length >= 0xc0) {
      const target = message.readUInt16BE(at) & 0x3fff;
      if (target >= at) throw new RangeError('a pointer that leads forward');
      end ??= at + 2;
      at = target;
    } else if (length > 63 || at + 1 + length > message.length) {
      throw new RangeError('a label that ends too late');
    } else {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      if (labels.length > 127) throw new RangeError('a name of too many labels');
      at += 1 + length;
    }
  }
}
