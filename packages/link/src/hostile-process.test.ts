import { type ChildProcess, fork } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { testCertificate } from '@pult/testkit/certificates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveDeviceLink } from './device-link.ts';
import { dial, type LinkTransport } from './dial.ts';
import { ServiceError } from './link-error.ts';
import { randomFrame } from './testing/hostile-frames.ts';
import { sampleInfo } from './testing/link-pair.ts';
import { dataFrame } from './testing/raw-device.ts';
import { createRandom } from './testing/wire.ts';

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

  async dial(transport: LinkTransport, isSecure: boolean): Promise<Duplex> {
    const device = await dial(`${isSecure ? 'https' : 'http'}://127.0.0.1:${this.#port}`, {
      ca: testCertificate,
      headers: {},
      transport,
    });
    device.on('error', () => {});
    return device;
  }

  /** Resolves to why the next link ended. */
  nextEnd(): Promise<string | undefined> {
    return this.#next('closed');
  }
}

const lines: [string, LinkTransport, boolean][] = [
  ['TCP', 'upgrade', false],
  ['TLS', 'upgrade', true],
  ['WebSocket', 'websocket', false],
];

describe.each(lines)('over %s', (_name, transport, isSecure) => {
  let server: AcceptingProcess;
  beforeAll(async () => {
    server = await AcceptingProcess.start(isSecure);
  });
  afterAll(() => server.stop());

  /** An honest device is linked, asked for its state, and leaves. */
  async function expectService(): Promise<void> {
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const ended = server.nextEnd();
    const link = serveDeviceLink(await server.dial(transport, isSecure), {
      connectService: () => Promise.reject(new ServiceError('service_refused')),
      getInfo: () => sampleInfo,
      putState: () => isAsked(),
    });
    await asked;
    link.close();
    await ended;
  }

  test('random frames of a device end its link at most, and neither the process nor the links of others', async () => {
    await expectService();
    const before = await server.measureMemory();
    for (let seed = 0; seed < 60; seed += 1) {
      const random = createRandom(seed);
      const ended = server.nextEnd();
      const device = await server.dial(transport, isSecure);
      device.resume();
      const frames = Array.from({ length: 1 + random(60) }, () => randomFrame(random));
      if (random(2) === 0) for (const frame of frames) device.write(frame);
      else device.write(Buffer.concat(frames));
      if (random(2) === 0) device.destroy();
      else device.end();
      expect(await ended, `seed ${seed}`).toMatch(/^(protocol|transport|shutdown|flood|ping_timeout)$/);
      device.destroy();
    }
    await expectService();
    expect(await server.measureMemory()).toBeLessThan(before + 60);
  });

  test('40 MB that nobody asked for stay in no memory', async () => {
    const before = await server.measureMemory();
    const ended = server.nextEnd();
    const device = await server.dial(transport, isSecure);
    device.resume();
    const frame = dataFrame(9, Buffer.alloc(60_000));
    for (let count = 0; count < 700; count += 1) device.write(frame);
    expect(await ended).toMatch(/^(protocol|transport)$/);
    device.destroy();
    expect(await server.measureMemory()).toBeLessThan(before + 60);
    await expectService();
  });
});
