import { expect, onTestFinished } from 'vitest';
import { priorities } from '../session/priorities.ts';
import { Session } from '../session/session.ts';
import type { SessionStream } from '../session/session-stream.ts';
import { Wire } from './wire.ts';

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Two ends of a session over a wire that the test breaks and mends. The device sends back what it gets. */
export class Pair {
  readonly cloud: Session;
  readonly device: Session;
  readonly #random: (limit: number) => number;
  #wire: Wire;

  constructor(random: (limit: number) => number, serve: (stream: SessionStream, line: string) => void) {
    this.#random = random;
    this.cloud = new Session({ resumeMs: 60_000, endsFloods: true });
    this.device = new Session({
      resumeMs: 60_000,
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
  }

  mend(): void {
    this.#wire = new Wire(this.#random);
    this.cloud.attach(this.#wire.a, true);
    this.device.attach(this.#wire.b, true);
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      for (let count = 0; count < 8; count += 1) this.#wire.step();
      await turn();
    }
  }

  /** Carries everything until that has come about. */
  async runUntil(isDone: () => boolean): Promise<void> {
    for (let step = 0; step < 100_000 && !isDone(); step += 1) await this.run(1);
    expect(isDone()).toBe(true);
  }
}
