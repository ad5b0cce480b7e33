/** Where the addresses of an IPv4 packet stand. */
export const sourceOffset = 12;
export const destinationOffset = 16;

const tcp = 6;

/** RFC 1624: the checksum after 32 bits of what it covers have changed. */
function updateChecksum(packet: Buffer, at: number, before: Buffer, after: Buffer): void {
  let sum = ~packet.readUInt16BE(at) & 0xffff;
  for (const offset of [0, 2]) sum += (~before.readUInt16BE(offset) & 0xffff) + after.readUInt16BE(offset);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  packet.writeUInt16BE(~sum & 0xffff, at);
}

/** Puts another address in the place of one of a packet's two, and sets its checksums right. */
export function replaceAddress(packet: Buffer, offset: number, address: Buffer): void {
  const before = Buffer.from(packet.subarray(offset, offset + 4));
  address.copy(packet, offset);
  updateChecksum(packet, 10, before, address);
  const isFirstFragment = (packet.readUInt16BE(6) & 0x1fff) === 0;
  if (packet[9] === tcp && isFirstFragment) {
    const headerBytes = ((packet[0] ?? 0) & 0x0f) * 4;
    updateChecksum(packet, headerBytes + 16, before, address);
  }
}
