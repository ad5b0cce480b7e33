import { Duplex } from 'node:stream';
import type { TestDevice } from '@pult/testkit/in-process';
import type { CloseReason, DeviceConnection } from '../devices/index.ts';
import type { TunnelFixture } from './tunnel.fixture.ts';

type EndpointStream = ReturnType<DeviceConnection['open']>;

/** A stream whose device answers its opening when a test says so; keeps what was written before. */
export class HeldOpening extends Duplex implements EndpointStream {
  connecting = true;
  written = '';
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk;
    done();
  }
  answer(text: string): void {
    this.connecting = false;
    this.emit('connect');
    this.push(text);
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
  setTimeout(): void {}
  ref(): void {}
  unref(): void {}
}

/** Claims and links a device that a test is: it accepts nothing by itself. `openings` gets what it is asked for. */
export async function addOpeningDevice(
  fixture: TunnelFixture,
  device: TestDevice,
  openings: HeldOpening[],
): Promise<void> {
  let end: (reason: CloseReason) => void = () => {};
  const closed = new Promise<CloseReason>((resolve) => {
    end = resolve;
  });
  const connection: DeviceConnection = {
    capabilities: new Set(),
    open() {
      const opening = new HeldOpening();
      openings.push(opening);
      return opening;
    },
    drain: () => {},
    close: (reason) => end(reason),
    closed,
    bytesIn: 0,
    bytesOut: 0,
  };
  fixture.server.server.links.add(await fixture.claim(device), connection);
}
