/** What a packet of TCP is for. `probe`: the kernel's keep-alive. `bare`: an acknowledgement that carries nothing. */
export type PacketKind = 'data' | 'bare' | 'probe' | 'other';

export type KindCounts = Record<PacketKind, { packets: number; bytes: number }>;

const tcp = 6;
const syn = 0x02;
const fin = 0x01;
const rst = 0x04;
/** Connections whose numbers are known: one more forgets the one that was seen first. */
const maxFlows = 256;

/** Tells the packets of one direction apart and counts them, heads included. */
export class PacketKinds {
  readonly counts: KindCounts = {
    data: { packets: 0, bytes: 0 },
    bare: { packets: 0, bytes: 0 },
    probe: { packets: 0, bytes: 0 },
    other: { packets: 0, bytes: 0 },
  };
  /** The sequence number behind the last byte of each connection. */
  readonly #next = new Map<string, number>();

  /** An IPv4 packet. */
  note(packet: Buffer): void {
    const count = this.counts[this.#classify(packet)];
    count.packets += 1;
    count.bytes += packet.length;
  }

  #classify(packet: Buffer): PacketKind {
    const headerBytes = ((packet[0] ?? 0) & 0x0f) * 4;
    if (packet[9] !== tcp || packet.length < headerBytes + 20) return 'other';
    const flow = packet.toString('latin1', headerBytes, headerBytes + 4);
    const sequence = packet.readUInt32BE(headerBytes + 4);
    const flags = packet[headerBytes + 13] ?? 0;
    const payload = packet.length - headerBytes - ((packet[headerBytes + 12] ?? 0) >> 4) * 4;
    const isOther = (flags & (syn | fin | rst)) !== 0;
    const next = this.#next.get(flow);
    const end = (sequence + payload + ((flags & syn) === 0 ? 0 : 1)) >>> 0;
    // Ahead of what was seen, in numbers that wrap around.
    if (next === undefined || ((end - next) | 0) > 0) this.#remember(flow, end);
    if (isOther) return 'other';
    // RFC 9293, 3.8.4: one below the next number, so that the other end must answer.
    if (payload <= 1 && next !== undefined && ((sequence + 1) | 0) === (next | 0)) return 'probe';
    return payload > 0 ? 'data' : 'bare';
  }

  #remember(flow: string, end: number): void {
    this.#next.set(flow, end);
    if (this.#next.size <= maxFlows) return;
    const [first = ''] = this.#next.keys();
    this.#next.delete(first);
  }
}
