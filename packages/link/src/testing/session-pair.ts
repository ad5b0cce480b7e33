import { expect, onTestFinished } from 'vitest';
import { Session } from '../session/session.ts';
import type { SessionOptions } from '../session/session-options.ts';
import type { SessionStream } from '../session/session-stream.ts';
import { priorities } from '../session/stream-route.ts';
import { Wire } from './wire.ts';

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Two ends of a session over a wire that the test breaks and mends. The device sends back what it gets. */
export class Pair {
  readonly cloud: Session;
  readonly device: Session;
  /** When the device was to dial a second connection. */
  readonly dials: number[] = [];
  readonly #random: (limit: number) => number;
  #number = 0;
  #halfGone: Wire | undefined;
  #wire: Wire;
  /** Of the second connection. */
  #bulkWire: Wire | undefined;

  constructor(
    random: (limit: number) => number,
    serve: (stream: SessionStream, line: string) => void,
    options: SessionOptions = {},
  ) {
    this.#random = random;
    this.cloud = new Session({ resumeMs: 60_000, endsFloods: true, ...options });
    this.device = new Session({
      resumeMs: 60_000,
      dialBulk: () => this.dials.push(performance.now()) > 0,
      onStream(stream, line) {
        stream.write('200\n');
        stream.connectNow();
        serve(stream, line);
      },
    });
    this.#wire = new Wire(random);
    this.cloud.attach(this.#wire.a, false);
    this.device.attach(this.#wire.b, false);
    onTestFinished(() => {
      this.cloud.close('transport');
      this.device.close('transport');
    });
  }

  open(line: string): SessionStream {
    const stream = this.cloud.open(line, priorities.page, () => stream.connectNow());
    return stream;
  }

  break(): void {
    this.#wire.break();
    this.#bulkWire?.break();
  }

  mend(): void {
    this.#wire = new Wire(this.#random);
    this.#bulkWire = undefined;
    this.#number += 1;
    this.cloud.attach(this.#wire.a, true, this.#number);
    this.device.attach(this.#wire.b, true, this.#number);
  }

  /** A second connection, which each end may have at another time than the other. */
  addBulk(): void {
    this.#bulkWire?.break();
    this.#bulkWire = new Wire(this.#random);
    this.#number += 1;
    this.cloud.addBulk(this.#bulkWire.a, this.#number);
    this.device.addBulk(this.#bulkWire.b, this.#number);
    // Who has not seen the first connection end has this one in place of the second, which is the other's first by now.
    this.#seeEnd();
  }

  /** That one end has ended the first connection comes to the other, unless the test lost it (`endMainAt`). */
  #seeEnd(): void {
    if (!this.#wire.a.destroyed && !this.#wire.b.destroyed) return;
    this.#wire.break();
    if (!this.#bulkWire) return;
    this.#wire = this.#bulkWire;
    this.#bulkWire = undefined;
  }

  breakBulk(): void {
    this.#bulkWire?.break();
    this.#bulkWire = undefined;
  }

  /** The second connection is the only one. */
  breakMain(): void {
    this.#wire.break();
    if (this.#bulkWire) this.#wire = this.#bulkWire;
    this.#bulkWire = undefined;
  }

  /** Only one end sees it. */
  endMainAt(end: 'cloud' | 'device'): void {
    const wire = this.#wire;
    this.#halfGone = wire;
    wire[end === 'cloud' ? 'a' : 'b'].destroy();
    if (this.#bulkWire) this.#wire = this.#bulkWire;
    this.#bulkWire = undefined;
  }

  get hasMainAtCloud(): boolean {
    return this.#halfGone?.a.destroyed === false;
  }

  /** Bytes to the cloud on the first connection and on the second. */
  count(): [number, number] {
    return [this.#wire.a.bytesRead, this.#bulkWire?.a.bytesRead ?? 0];
  }

  get isBulkOpen(): boolean {
    return this.#bulkWire?.b.destroyed === false;
  }

  get hasBulk(): boolean {
    return this.#bulkWire !== undefined;
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      this.#seeEnd();
      for (let count = 0; count < 8; count += 1) {
        this.#wire.step();
        if (this.#random(2) === 0) this.#bulkWire?.step();
      }
      await turn();
    }
  }

  /** Carries everything until that has come about. */
  async runUntil(isDone: () => boolean): Promise<void> {
    for (let step = 0; step < 100_000 && !isDone(); step += 1) await this.run(1);
    expect(isDone()).toBe(true);
  }
}
