import { type ChildProcess, fork } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { testCertificate } from '@pult/testkit/certificates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dial, type LinkTransport } from './dial.ts';

/** Types of frames: RFC 9113, section 6; ALTSVC: RFC 7838, section 4; ORIGIN: RFC 8336, section 2. */
const frameType = { data: 0, headers: 1, settings: 4, ping: 6, goaway: 7, altsvc: 10, origin: 12 };
const endStream = 1;
const endHeaders = 4;

/** A frame as RFC 9113, section 4.1 lays it out. */
function frame(type: number, payload: Buffer | string = '', flags = 0, streamId = 0): Buffer {
  const body = Buffer.from(payload);
  const header = Buffer.alloc(9);
  header.writeUIntBE(body.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(streamId, 5);
  return Buffer.concat([header, body]);
}

const settings = frame(frameType.settings);
const shortPing = frame(frameType.ping, Buffer.alloc(7));
const goaway = frame(frameType.goaway, Buffer.alloc(8));
const failedGoaway = frame(frameType.goaway, Buffer.from([0, 0, 0, 0, 0, 0, 0, 2]));
/** Without an origin on stream 0, which RFC 7838 forbids. */
const emptyAltsvc = frame(frameType.altsvc, Buffer.from([0, 0, ...Buffer.from('h2=":1"')]));
const namedAltsvc = frame(frameType.altsvc, Buffer.from([0, 9, ...Buffer.from('https://ah2=":1"')]));

/** 16 kB of origins, each a new one. */
function originFrame(number: number): Buffer {
  const origins = Array.from({ length: 500 }, (_, index) => {
    const origin = Buffer.from(`https://o${number}x${index}.example`.padEnd(30, 'a'));
    const length = Buffer.alloc(2);
    length.writeUInt16BE(origin.length);
    return Buffer.concat([length, origin]);
  });
  return frame(frameType.origin, Buffer.concat(origins));
}

/** An answer 200 (index 8 of HPACK's static table) to the first request of the link. */
function answer(body: string): Buffer {
  return Buffer.concat([
    frame(frameType.headers, Buffer.from([0x88]), endHeaders, 1),
    frame(frameType.data, body, endStream, 1),
  ]);
}

interface Report {
  port?: number;
  closed?: string;
  residentBytes?: number;
}

/** The server's end in a process of its own: an abort of the parser takes the whole process with it. */
class AcceptingProcess {
  readonly #child: ChildProcess;
  #port = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(isSecure: boolean): Promise<AcceptingProcess> {
    const program = fileURLToPath(new URL('./testing/accepting-process.fixture.ts', import.meta.url));
    const child = fork(program, isSecure ? ['--tls'] : [], { execArgv: ['--import', 'tsx'] });
    const started = new AcceptingProcess(child);
    started.#port = (await started.#next('port')) ?? 0;
    return started;
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }

  /** The next report with that field; rejects when the process ends first. */
  #next<Name extends keyof Report>(name: Name): Promise<Report[Name]> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null, signal: string | null) =>
        reject(new Error(`the server's process ended with ${signal ?? code}`));
      const onMessage = (report: Report) => {
        if (!(name in report)) return;
        this.#child.off('exit', onExit);
        this.#child.off('message', onMessage);
        resolve(report[name]);
      };
      this.#child.on('exit', onExit);
      this.#child.on('message', onMessage);
    });
  }

  /** Megabytes in its memory. */
  async measureMemory(): Promise<number> {
    const measured = this.#next('residentBytes');
    this.#child.send('measure');
    return ((await measured) ?? 0) / 2 ** 20;
  }

  /** Links a device, lets it do its worst, and resolves to why the link ended. */
  async attack(transport: LinkTransport, isSecure: boolean, act: (device: Duplex) => void): Promise<unknown> {
    const device = await dial(`${isSecure ? 'https' : 'http'}://127.0.0.1:${this.#port}`, {
      ca: testCertificate,
      headers: {},
      transport,
    });
    device.on('error', () => {});
    const ended = this.#next('closed');
    device.write(settings);
    // The server's request for the state follows its own greeting.
    const arrived: Buffer[] = [];
    const waitForRequest = (chunk: Buffer) => {
      arrived.push(chunk);
      if (!Buffer.concat(arrived).includes('"activated"')) return;
      device.off('data', waitForRequest);
      device.resume();
      act(device);
    };
    device.on('data', waitForRequest);
    const reason = await ended;
    device.destroy();
    return reason;
  }
}

const lines: [string, LinkTransport, boolean][] = [
  ['TCP', 'upgrade', false],
  ['TLS', 'upgrade', true],
  ['WebSocket', 'websocket', false],
];

const attacks: [string, Buffer[]][] = [
  ['a broken answer with a short PING', [answer('{'), shortPing]],
  ['an endless answer with a short PING', [answer('x'.repeat(16_000)), shortPing]],
  ['ALTSVC without origin, GOAWAY, a short PING', [emptyAltsvc, goaway, shortPing]],
  ['ALTSVC, GOAWAY, a short PING', [namedAltsvc, goaway, shortPing]],
  ['a broken answer with ALTSVC and a short PING', [answer('{'), emptyAltsvc, goaway, shortPing]],
  ['ORIGIN, GOAWAY, a short PING', [originFrame(0), goaway, shortPing]],
  ['GOAWAY, a short PING', [goaway, shortPing]],
  ['a goodbye with a broken answer and a short PING', [goaway, answer('{'), shortPing]],
  ['GOAWAY with an error, a short PING', [failedGoaway, shortPing]],
  ['short PINGs', [shortPing, shortPing, goaway, shortPing]],
  ['a broken answer with short SETTINGS', [answer('{'), frame(frameType.settings, Buffer.alloc(5))]],
];

describe.each(lines)('over %s', (_name, transport, isSecure) => {
  let server: AcceptingProcess;
  beforeAll(async () => {
    server = await AcceptingProcess.start(isSecure);
  });
  afterAll(() => server.stop());

  test('the process of the server survives every order of frames that aborts the native parser', async () => {
    for (const [what, frames] of attacks) {
      for (const writes of [[Buffer.concat(frames)], frames]) {
        const reason = await server.attack(transport, isSecure, (device) => {
          for (const bytes of writes) device.write(bytes);
        });
        expect(reason, what).toMatch(/^(protocol|transport|ping_timeout)$/);
      }
    }
    await server.measureMemory();
  });

  test('40 MB of ORIGIN frames end the link and stay in no memory', async () => {
    const before = await server.measureMemory();
    const flood = Array.from({ length: 2_500 }, (_, number) => originFrame(number));
    const reason = await server.attack(transport, isSecure, (device) => {
      for (const bytes of flood) device.write(bytes);
      device.end();
    });
    expect(reason).toMatch(/^(protocol|transport|ping_timeout)$/);
    expect(await server.measureMemory()).toBeLessThan(before + 60);
  });
});
