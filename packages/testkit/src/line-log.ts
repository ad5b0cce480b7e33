import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const MAX_LINES = 20_000;

interface Waiter {
  pattern: RegExp;
  resolve: (match: RegExpExecArray) => void;
}

/** The lines a process has written, numbered from 0, and those who wait for one. Old lines are dropped. */
export class LineLog {
  readonly #lines: string[] = [];
  #dropped = 0;
  readonly #waiters = new Set<Waiter>();

  /** Number of the next line. */
  get next(): number {
    return this.#dropped + this.#lines.length;
  }

  read(stream: Readable): void {
    const reader = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
    reader.on('line', (line) => this.#add(line));
  }

  find(pattern: RegExp, since = 0): RegExpExecArray | undefined {
    for (const line of this.#lines.slice(Math.max(0, since - this.#dropped))) {
      const match = pattern.exec(line);
      if (match) return match;
    }
    return undefined;
  }

  /** The first line from number `since` on that matches, already written or to come. */
  wait(pattern: RegExp, since: number, signal: AbortSignal): Promise<RegExpExecArray> {
    const found = this.find(pattern, since);
    if (found) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { pattern, resolve };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', () => {
        if (this.#waiters.delete(waiter)) reject(signal.reason);
      });
    });
  }

  tail(count: number): string {
    return this.#lines.slice(-count).join('\n');
  }

  #add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > MAX_LINES) {
      this.#lines.shift();
      this.#dropped += 1;
    }
    for (const waiter of this.#waiters) {
      const match = waiter.pattern.exec(line);
      if (!match) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(match);
    }
  }
}
