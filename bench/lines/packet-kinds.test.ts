import { expect, test } from 'vitest';
import { PacketKinds } from './packet-kinds.ts';

/** With timestamps, as Linux sends them. */
const headBytes = 20 + 32;

function createPacket(sequence: number, payload: number, flags = 0x10): Buffer {
  const packet = Buffer.alloc(headBytes + payload);
  packet[0] = 0x45;
  packet[9] = 6;
  packet.writeUInt32BE(sequence >>> 0, 24);
  packet[32] = 8 << 4;
  packet[33] = flags;
  return packet;
}

function countPackets(packets: readonly Buffer[]): Record<string, number> {
  const kinds = new PacketKinds();
  for (const packet of packets) kinds.note(packet);
  return Object.fromEntries(Object.entries(kinds.counts).map(([kind, { packets: count }]) => [kind, count]));
}

test('a keep-alive of the kernel is told from an acknowledgement by its number', () => {
  expect(
    countPackets([
      createPacket(100, 0, 0x02),
      createPacket(101, 40),
      createPacket(141, 0),
      createPacket(140, 0),
    ]),
  ).toEqual({ data: 1, bare: 1, probe: 1, other: 1 });
});

test('numbers of packets that wrap around stay in order', () => {
  expect(countPackets([createPacket(2 ** 32 - 10, 20), createPacket(10, 0), createPacket(9, 0)])).toEqual({
    data: 1,
    bare: 1,
    probe: 1,
    other: 0,
  });
});

test('the bytes of a packet are counted with its heads', () => {
  const kinds = new PacketKinds();
  kinds.note(createPacket(1, 12));
  expect(kinds.counts.data).toEqual({ packets: 1, bytes: headBytes + 12 });
});
