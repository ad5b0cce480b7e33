import { expect, test } from 'vitest';
import { destinationOffset, replaceAddress, sourceOffset } from './nat.ts';

/** RFC 1071. */
function sum(bytes: Buffer): number {
  let total = 0;
  for (let at = 0; at < bytes.length; at += 2) total += bytes.readUInt16BE(at);
  while (total > 0xffff) total = (total & 0xffff) + (total >>> 16);
  return ~total & 0xffff;
}

function tcpSum(packet: Buffer): number {
  const segment = packet.subarray(20);
  const pseudoHeader = Buffer.concat([packet.subarray(12, 20), Buffer.from([0, 6, 0, segment.length])]);
  return sum(Buffer.concat([pseudoHeader, segment]));
}

function createPacket(): Buffer {
  const packet = Buffer.alloc(44, 0x5a);
  packet[0] = 0x45;
  packet[9] = 6;
  packet.writeUInt16BE(0x4000, 6);
  packet.writeUInt16BE(0, 10);
  packet.writeUInt16BE(sum(packet.subarray(0, 20)), 10);
  packet.writeUInt16BE(0, 36);
  packet.writeUInt16BE(tcpSum(packet), 36);
  return packet;
}

test.each([
  ['source', sourceOffset],
  ['destination', destinationOffset],
])('a replaced %s address leaves a packet with right checksums', (_name, offset) => {
  for (const address of ['10.91.1.7', '255.255.255.255', '0.0.0.0', '90.90.90.91']) {
    const packet = createPacket();
    const bytes = Buffer.from(address.split('.').map(Number));
    replaceAddress(packet, offset, bytes);
    expect(packet.subarray(offset, offset + 4)).toEqual(bytes);
    expect(sum(packet.subarray(0, 20))).toBe(0);
    expect(tcpSum(packet)).toBe(0);
  }
});
