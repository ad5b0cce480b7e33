// A process of its own that passes packets between two TUN interfaces (file descriptors 3: the cloud's, 4: the device's) as a
// line would. Told by lines on its input, each of which it answers with a line of JSON; ends with its input.
//   open-tuns.py … node emulator.ts <line as JSON>
import { read, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { cloudAddress, deviceAddress, type LineCounts, publicAddress } from './emulator-protocol.ts';
import type { Line } from './lines.ts';
import { destinationOffset, replaceAddress, sourceOffset } from './nat.ts';
import { Shaper } from './shaper.ts';

// Given by the bench itself.
const line = JSON.parse(process.argv[2] ?? '') as Line;
const ends = { cloud: 3, device: 4 };
const delayMs = line.roundTripMs / 2;
const shapers = {
  up: new Shaper({ ...line.up, delayMs, lossShare: line.lossShare }),
  down: new Shaper({ ...line.down, delayMs, lossShare: line.lossShare }),
};
const device = toBytes(deviceAddress);
let isCut = false;
let binding = 1;
let firstSynAt: number | undefined;

function toBytes(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

function isSyn(packet: Buffer): boolean {
  const headerBytes = ((packet[0] ?? 0) & 0x0f) * 4;
  const flags = packet[headerBytes + 13] ?? 0;
  return packet[9] === 6 && (flags & 0x12) === 0x02;
}

/** Behind a NAT: the far side knows the device by the address it was given last. Undefined for what no binding expects. */
function translate(packet: Buffer, way: 'up' | 'down'): Buffer | undefined {
  const outside = toBytes(publicAddress(binding));
  if (way === 'up') {
    if (!packet.subarray(sourceOffset, sourceOffset + 4).equals(device)) return undefined;
    replaceAddress(packet, sourceOffset, outside);
  } else {
    if (!packet.subarray(destinationOffset, destinationOffset + 4).equals(outside)) return undefined;
    replaceAddress(packet, destinationOffset, device);
  }
  return packet;
}

/** Reads packets at one end for ever, and writes each at the other when its time has come. */
function relay(from: number, to: number, way: 'up' | 'down'): void {
  const onItsWay: { packet: Buffer; due: number }[] = [];
  const release = () => {
    const now = performance.now();
    for (let next = onItsWay[0]; next && next.due <= now; next = onItsWay[0]) {
      onItsWay.shift();
      const packet = isCut ? undefined : translate(next.packet, way);
      if (packet) writeSync(to, packet);
    }
    const next = onItsWay[0];
    if (next) setTimeout(release, next.due - performance.now());
  };
  const buffer = Buffer.alloc(2048);
  const readNext = () => {
    read(from, buffer, 0, buffer.length, null, (error, bytes) => {
      // The interface is down for a moment while it is set up.
      if (error) return void setTimeout(readNext, 20);
      const isIpv4 = (buffer[0] ?? 0) >> 4 === 4;
      if (isIpv4) {
        const packet = Buffer.from(buffer.subarray(0, bytes));
        if (way === 'up' && isSyn(packet)) firstSynAt ??= Date.now();
        const due = isCut ? undefined : shapers[way].take(bytes, performance.now());
        if (due !== undefined && onItsWay.push({ packet, due }) === 1) release();
      }
      readNext();
    });
  };
  readNext();
}

function count(): LineCounts {
  const now = performance.now();
  const { up, down } = shapers;
  return {
    up: up.delivered,
    down: down.delivered,
    queued: up.getQueued(now) + down.getQueued(now),
    lost: up.lost + down.lost,
    dropped: up.dropped + down.dropped,
    firstSynAt,
    deviceHost: publicAddress(binding),
  };
}

const commands: Readonly<Record<string, () => void>> = {
  count() {},
  cut() {
    isCut = true;
  },
  restore() {
    isCut = false;
  },
  rebind() {
    binding = (binding % 250) + 1;
  },
  /** The next connection that the device opens is the first. */
  mark() {
    firstSynAt = undefined;
  },
};

relay(ends.device, ends.cloud, 'up');
relay(ends.cloud, ends.device, 'down');
const input = createInterface({ input: process.stdin });
input.on('line', (command) => {
  commands[command]?.();
  process.stdout.write(`${JSON.stringify(count())}\n`);
});
// A thread that reads an interface would hold an ordinary end up for ever.
input.on('close', () => process.kill(process.pid, 'SIGKILL'));
process.stdout.write(`ready, ${cloudAddress} to ${publicAddress(binding)}\n`);
