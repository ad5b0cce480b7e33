import { once } from 'node:events';
import { Duplex, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { DeviceConnection, EndpointStream } from './device-connection.ts';
import { meterTraffic } from './traffic-meter.ts';

const nothing = { web: 0, terminal: 0, telemetry: 0, diagnostics: 0, keepalive: 0 };

/** A stream that sends back what it gets; `counted` is what the line had to carry for it. */
class Echo extends Duplex {
  readonly connecting = false;
  readonly #counted: { bytesIn: number; bytesOut: number };

  constructor(counted: { bytesIn: number; bytesOut: number }) {
    super();
    this.#counted = counted;
  }
  override _read() {}
  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void) {
    this.#counted.bytesOut += chunk.length;
    this.#counted.bytesIn += chunk.length;
    this.push(chunk);
    callback();
  }
  setNoDelay() {}
  setKeepAlive() {}
  setTimeout() {}
  ref() {}
  unref() {}
}

function createConnection({ isCompressed = false } = {}) {
  const counted = { bytesIn: 0, bytesOut: 0 };
  const below = new Echo(counted);
  const connection: DeviceConnection = {
    capabilities: new Set(['telemetry', 'diagnostics']),
    open: () =>
      isCompressed
        ? Object.assign(new Echo({ bytesIn: 0, bytesOut: 0 }), { below })
        : (new Echo(counted) satisfies EndpointStream),
    openTelemetry: async () => {
      counted.bytesIn += 5;
      return Readable.from([Buffer.from('{"a":')]);
    },
    async openDiagnostics() {
      const body = Readable.from([Buffer.from('archive')]);
      counted.bytesIn += 7;
      return { body, getOutcome: () => ({ kind: 'unknown' as const }) };
    },
    drain() {},
    close() {},
    closed: new Promise(() => {}),
    get bytesIn() {
      return counted.bytesIn;
    },
    get bytesOut() {
      return counted.bytesOut;
    },
  };
  return { counted, below, connection, meter: meterTraffic(connection) };
}

async function send(stream: Duplex, text: string): Promise<void> {
  stream.write(text);
  const [chunk] = await once(stream, 'data');
  expect(String(chunk)).toBe(text);
}

it('bytes of both directions are counted by what their endpoint is for', async () => {
  const { connection, meter } = createConnection();
  await send(connection.open('http'), 'GET /');
  await send(connection.open('port-8080'), 'ж'); // two bytes
  await send(connection.open('ssh'), 'SSH-2.0');
  expect(meter.take()).toEqual({ ...nothing, web: 14, terminal: 14 });
});

it('a write of several pieces at once counts each of them', async () => {
  const { connection, meter } = createConnection();
  const stream = connection.open('http');
  stream.cork();
  stream.write('one');
  stream.write('three');
  stream.uncork();
  await nextTurn();
  expect(meter.take().web).toBe(16);
});

it('bytes of telemetry and diagnostics are counted as such', async () => {
  const { connection, meter } = createConnection();
  const telemetry = await connection.openTelemetry?.({ streamId: null, offset: 0 });
  for await (const _ of telemetry ?? []);
  const diagnostics = await connection.openDiagnostics?.();
  for await (const _ of diagnostics?.body ?? []);
  expect(meter.take()).toMatchObject({ telemetry: 5, diagnostics: 7 });
});

it('bytes below a stream that is compressed are counted, and not those above', async () => {
  const { connection, meter, below } = createConnection({ isCompressed: true });
  const stream = connection.open('http', { mayPack: true });
  stream.resume().write('x'.repeat(1000));
  below.write('10 bytes..');
  await nextTurn();
  expect(meter.take()).toEqual({ ...nothing, web: 20 });
});

it('what the line carried beyond its streams is keepalive, and is taken once', async () => {
  const { counted, connection, meter } = createConnection();
  counted.bytesIn += 100;
  await send(connection.open('ssh'), 'ls');
  counted.bytesOut += 30;
  expect(meter.take()).toEqual({ ...nothing, terminal: 4, keepalive: 130 });
  expect(meter.take()).toEqual(nothing);
});

it('streams of which less went over the line than they have share what went', async () => {
  const { counted, connection, meter } = createConnection();
  await send(connection.open('http'), 'x'.repeat(300));
  await send(connection.open('ssh'), 'y'.repeat(100));
  // As where the line compresses, or has sent only a part of it yet.
  counted.bytesIn = 100;
  counted.bytesOut = 0;
  expect(meter.take()).toEqual({ ...nothing, web: 75, terminal: 25 });
  // A socket that is destroyed takes back what it had not sent.
  counted.bytesIn = 60;
  expect(meter.take()).toEqual(nothing);
});
