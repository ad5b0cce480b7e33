// HTTP/2 as far as its frames tell of themselves (RFC 9113, sections 3.4, 4.1 and 6).

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
  altSvc: 10,
  origin: 12,
  priorityUpdate: 16,
} as const;

/** What a bit means depends on the type: an acknowledgement has that of an end. */
export const frameFlags = {
  endStream: 1,
  acknowledgement: 1,
  endHeaders: 4,
  padded: 8,
  priority: 32,
} as const;

export const frameHeaderBytes = 9;
/** What we let others send: the least that HTTP/2 allows, and all that browsers use. */
export const maxPayloadBytes = 16_384;

/** With which a client begins, before its first frame. */
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

export interface FrameHeader {
  length: number;
  type: number;
  flags: number;
  streamId: number;
}

export function readFrameHeader(bytes: Buffer): FrameHeader {
  return {
    length: bytes.readUIntBE(0, 3),
    type: bytes.readUInt8(3),
    flags: bytes.readUInt8(4),
    streamId: bytes.readUInt32BE(5) & 0x7fffffff,
  };
}
