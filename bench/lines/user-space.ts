import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { resetSocket } from '@pult/link';
import type { LineCommand, LineCounts, LineEmulator } from './emulator-protocol.ts';
import type { Line } from './lines.ts';
import { Shaper } from './shaper.ts';

/** Of a packet that fills a frame of Ethernet, and its head. */
const segmentBytes = 1400;
const headBytes = 52;

type Way = 'up' | 'down';

/**
 * The same line for TCP alone, where a machine forbids network namespaces: relays on the loopback address that pass segments as the
 * line would. A lost one, and all behind it, comes a round trip later; what finds the queue full waits instead of being dropped. So
 * it plays neither what loss does to a sender's window nor the round trip of opening a connection, and the kernel's buffers at both
 * sides of a relay hold more than a real line's. Good for seeing where one stands, not for figures to be published.
 */
export async function startUserSpaceEmulator(line: Line): Promise<LineEmulator> {
  const delayMs = line.roundTripMs / 2;
  const shapers = {
    up: new Shaper({ ...line.up, delayMs, lossShare: 0 }),
    down: new Shaper({ ...line.down, delayMs, lossShare: 0 }),
  };
  const relays = new Set<Server>();
  const sockets = new Set<Socket>();
  let isCut = false;
  let lost = 0;
  let firstSynAt: number | undefined;

  /** One segment of each connection waits for the queue at a time, in the order in which they came: fair shares. */
  const turns = { up: Promise.resolve(0), down: Promise.resolve(0) };

  /** When a segment that comes now arrives, once the queue has room for it. */
  function pass(bytes: number, way: Way): Promise<number> {
    const find = async () => {
      for (;;) {
        const due = isCut ? undefined : shapers[way].take(bytes + headBytes, performance.now());
        if (due !== undefined) return due;
        await wait(5);
      }
    };
    turns[way] = turns[way].then(find);
    return turns[way];
  }

  async function forward(from: Socket, to: Socket, way: Way): Promise<void> {
    const onItsWay: { segment: Buffer | undefined; due: number }[] = [];
    const release = () => {
      const now = performance.now();
      for (let next = onItsWay[0]; next && next.due <= now; next = onItsWay[0]) {
        onItsWay.shift();
        if (to.destroyed) return;
        if (next.segment) to.write(next.segment);
        else to.end();
      }
      const next = onItsWay[0];
      if (next) setTimeout(release, next.due - performance.now());
    };
    // In order, as TCP keeps it.
    let arrival = 0;
    const send = (segment: Buffer | undefined, due: number) => {
      arrival = Math.max(arrival, due);
      if (onItsWay.push({ segment, due: arrival }) === 1) release();
    };
    for await (const chunk of from as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += segmentBytes) {
        const segment = chunk.subarray(at, at + segmentBytes);
        const due = await pass(segment.length, way);
        const isLost = Math.random() < line.lossShare;
        if (isLost) lost += 1;
        send(segment, isLost ? due + line.roundTripMs : due);
      }
    }
    send(undefined, 0);
  }

  async function startRelay(port: number, opener: 'cloud' | 'device'): Promise<number> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
      if (opener === 'device') firstSynAt ??= Date.now();
      const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => sockets.delete(socket));
      }
      const drop = () => {
        near.destroy();
        far.destroy();
      };
      const [out, back]: [Way, Way] = opener === 'device' ? ['up', 'down'] : ['down', 'up'];
      forward(near, far, out).catch(drop);
      forward(far, near, back).catch(drop);
    });
    relays.add(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A listening TCP server has an address object.
    return (server.address() as AddressInfo).port;
  }

  const commands: Readonly<Record<LineCommand, () => void>> = {
    count() {},
    cut() {
      isCut = true;
    },
    restore() {
      isCut = false;
    },
    // What was open belongs to an address that is no more.
    rebind() {
      for (const socket of sockets) resetSocket(socket);
    },
    // Nothing is lost here.
    loseSyn() {},
    mark() {
      firstSynAt = undefined;
    },
  };
  const count = (): LineCounts => {
    const { up, down } = shapers;
    const now = performance.now();
    const queued = up.getQueued(now) + down.getQueued(now);
    return { up: up.delivered, down: down.delivered, queued, lost, dropped: 0, firstSynAt };
  };
  const known = new Map<string, Promise<number>>();
  return {
    async reach(side, port) {
      const key = `${side} ${port}`;
      const relay = known.get(key) ?? startRelay(port, side === 'cloud' ? 'device' : 'cloud');
      known.set(key, relay);
      return { host: '127.0.0.1', port: await relay };
    },
    onDevice: (command, args) => [command, [...args]],
    async tell(command) {
      commands[command]();
      return count();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      for (const relay of relays) relay.close();
    },
  };
}
