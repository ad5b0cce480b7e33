import { ServiceError } from '@pult/link';
import { runBoardCollector } from './board-collector.ts';
import { collectBuiltIn } from './built-in-collector.ts';
import { sections as allSections, type Section } from './sections.ts';

interface DiagnosticsOptions {
  /** What the agent has to say of itself, by file name. */
  describe(): Readonly<Record<string, string>>;
  /** What tests set otherwise. */
  program?: string;
  sections?: readonly Section[];
  sectionTimeoutMs?: number;
}

/** Begins a collection. Rejects with `ServiceError` while another one runs. */
export type CollectDiagnostics = (signal: AbortSignal) => Promise<AsyncIterable<Buffer>>;

/** Collects by the board's own collector where there is one that works, otherwise by ours. One at a time. */
export function createDiagnostics(options: DiagnosticsOptions): CollectDiagnostics {
  const { describe, program = 'wb-diag-collect', sections = allSections, sectionTimeoutMs } = options;
  let running: AbortSignal | undefined;
  const release = (signal: AbortSignal) => {
    if (running === signal) running = undefined;
  };

  async function* collect(signal: AbortSignal): AsyncGenerator<Buffer> {
    try {
      const board = await runBoardCollector(program, signal);
      if (signal.aborted) throw new Error('broken off');
      if (board && 'archive' in board) {
        yield* board.archive;
        return;
      }
      const files = { ...describe(), ...(board ? { 'board-collector.txt': board.failure } : {}) };
      const timeoutMs = sectionTimeoutMs === undefined ? {} : { timeoutMs: sectionTimeoutMs };
      yield* collectBuiltIn({ sections, files, signal, ...timeoutMs });
    } finally {
      release(signal);
    }
  }

  return async (signal) => {
    if (running) throw new ServiceError('service_refused', 'another collection is running');
    running = signal;
    // Whoever left before the first byte was asked for never comes for it.
    signal.addEventListener('abort', () => release(signal), { once: true });
    return collect(signal);
  };
}
