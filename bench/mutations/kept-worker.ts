/**
 * Vitest's worker thread, kept from one mutant to the next. Starting one and loading the console into it took ten times
 * as long as the tests; a mutant that is switched on while tests run needs no new one. `runner.mjs` asks for a new one
 * where it does, by `MUTATION_WORKER`.
 */
import { type PoolOptions, type PoolWorker, ThreadsPoolWorker, type WorkerRequest } from 'vitest/node';

type Listener = Parameters<PoolWorker['on']>[1];

let kept: ThreadsPoolWorker | undefined;

function dropKept() {
  void kept?.stop();
  kept = undefined;
}

/** What Vitest takes for a worker of one run: its start and its end are answered here, the rest is the thread's. */
class KeptWorker implements PoolWorker {
  readonly name = 'kept';
  readonly #thread: ThreadsPoolWorker;
  readonly #isNew: boolean;
  #isStopped = false;
  #listeners: [event: string, listener: Listener][] = [];

  constructor(thread: ThreadsPoolWorker, isNew: boolean) {
    this.#thread = thread;
    this.#isNew = isNew;
  }

  async start() {
    if (this.#isNew) await this.#thread.start();
  }

  on(event: string, listener: Listener) {
    this.#listeners.push([event, listener]);
    this.#thread.on(event, listener);
  }

  off(event: string, listener: Listener) {
    this.#thread.off(event, listener);
  }

  send(message: WorkerRequest) {
    if (message.type === 'start' && !this.#isNew) return this.#answer('started');
    if (message.type !== 'stop') return this.#thread.send(message);
    this.#isStopped = true;
    this.#answer('stopped');
  }

  /** An end that was not asked for first is that of a broken run, and its thread's too. */
  async stop() {
    for (const [event, listener] of this.#listeners) this.#thread.off(event, listener);
    if (!this.#isStopped) dropKept();
  }

  deserialize(data: unknown) {
    return data;
  }

  #answer(type: 'started' | 'stopped') {
    for (const [event, listener] of this.#listeners)
      if (event === 'message') queueMicrotask(() => listener({ type, __vitest_worker_response__: true }));
  }
}

export const keptWorker = {
  name: 'kept',
  createPoolWorker(options: PoolOptions): PoolWorker {
    if (process.env.MUTATION_WORKER === 'new') dropKept();
    const isNew = kept === undefined;
    kept ??= new ThreadsPoolWorker(options);
    return new KeptWorker(kept, isNew);
  },
};
